//go:build !race

package data

// raceDetector: SQLite is some thirty times slower with it, so that tests of speed say nothing.
const raceDetector = false
