//go:build race

package main

// raceDetector: SQLite is some thirty times slower with it.
const raceDetector = true
