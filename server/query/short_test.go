//go:build !full

package query_test

// full is false: tests run in their short size, in which nothing is measured.
const full = false
