//go:build full

package game

// full says that tests run in the size that docs/reliability.md tells of, and print their figures.
const full = true
