// Package rules holds the laws of the game: classes of objects, items and their possible changes, inventories and
// their changes, equipment, levels, pools, prices, the calendar. It is pure: no I/O, no goroutine, no clock and no
// byte of the wire, so the same function changes a character in the world and one in the store.
package rules
