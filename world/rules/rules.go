// Package rules holds what is true of the game whoever plays it: classes of objects, items and what may become of them,
// inventories and their changes, equipment, levels, pools, prices, the calendar. It is pure: no I/O, no goroutine, no
// clock and no byte of the wire, so the same function changes a character in the world and one in the store.
package rules
