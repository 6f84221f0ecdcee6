//go:build !unix

package transport

const childEnv = "TRANSPORT_TEST_CHILD"

func runChild(string) int { return 1 }

func descriptors() int { return 0 }
