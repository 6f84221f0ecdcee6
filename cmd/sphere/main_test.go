package main

import (
	"os"
	"testing"

	_ "sphereserver/data/datatest" // hashes of passwords that cost little
	"sphereserver/server/passwords"
)

// beforeTests is where tests of processes make this test binary be the program itself.
var beforeTests = func() {}

func TestMain(m *testing.M) {
	if passwords.Called() {
		os.Exit(passwords.Main())
	}
	beforeTests()
	os.Exit(m.Run())
}
