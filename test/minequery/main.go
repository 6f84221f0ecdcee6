// Command minequery asks a server with a client that nobody here wrote, github.com/dreamscached/minequery, and prints
// all that it shows as JSON. It is told how to ask: basic, full, or lenient, which is full without being strict about
// the answer. It belongs to the tests of cmd/sphere, and is a module of its own so that nobody who uses the server has
// to fetch what only tests need.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"strconv"
	"time"

	"github.com/dreamscached/minequery/v2"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "minequery:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) != 3 {
		return fmt.Errorf("expected a way, a host and a port, found %q", args)
	}
	port, err := strconv.Atoi(args[2])
	if err != nil {
		return err
	}
	p := minequery.NewPinger(minequery.WithTimeout(time.Minute), minequery.WithUseStrict(args[0] != "lenient"))
	var answer any
	switch args[0] {
	case "basic":
		answer, err = p.QueryBasic(args[1], port)
	case "full", "lenient":
		answer, err = p.QueryFull(args[1], port)
	default:
		err = fmt.Errorf("expected basic, full or lenient, found %q", args[0])
	}
	if err != nil {
		return err
	}
	return json.NewEncoder(os.Stdout).Encode(answer)
}
