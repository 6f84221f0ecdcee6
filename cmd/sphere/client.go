package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"regexp"
	"strings"

	"github.com/spf13/cobra"

	"sphereserver/data/atomicfile"
	"sphereserver/data/content/clientfiles"
)

func clientCommand(env *environment) *cobra.Command {
	return group("client", "Set up the original client", clientServersCommand(env))
}

func clientServersCommand(env *environment) *cobra.Command {
	return &cobra.Command{
		Use:   "servers-cfg FILE [ADDRESS]",
		Short: "Show the client's packed servers.cfg, or point it at a server",
		Long: "Show the client's packed servers.cfg. With an ADDRESS, write that as the one server of the file; what the " +
			"file was\n" +
			"at first is kept beside it, with .old at its end. A file that does not exist or is damaged is made anew, of " +
			"that copy if there is one.",
		Example: "  sphere client servers-cfg params/servers.cfg\n" +
			"  sphere client servers-cfg params/servers.cfg 192.168.0.10",
		Args: expect(1, "the client's servers.cfg", "an address"),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 1 {
				content, err := readServers(args[0])
				if err == nil {
					_, err = env.out.Write(content)
				}
				return err
			}
			if strings.ContainsAny(args[1], "\"\r\n\t ") || args[1] == "" {
				return usagef(c, "expected an address, found %q", args[1])
			}
			return pointServers(env, args[0], args[1])
		},
	}
}

func readServers(path string) ([]byte, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	content, err := clientfiles.UnpackParams(file)
	if err != nil {
		return nil, failf("%s: %v", path, err)
	}
	return content, nil
}

// newServers is what a file is made of that was not there. What the numbers of a CNTR line mean is not known; the
// client's own file has such lines.
const newServers = "SRV00 \"\"\r\nCNTR0001 1\r\n"

var serverLine = regexp.MustCompile(`(?m)^([ \t]*SRV00[ \t]+)"[^"\r\n]*"`)

func pointServers(env *environment, path, address string) error {
	old, whole, err := oldServers(env, path)
	if err != nil {
		return err
	}
	if !serverLine.Match(old) {
		return failf("%s: expected a line SRV00 \"address\", found none", path)
	}
	content := serverLine.ReplaceAll(old, fmt.Appendf(nil, `${1}"%s"`, strings.ReplaceAll(address, "$", "$$")))
	if whole && bytes.Equal(content, old) {
		env.answers().line("%s points at %s already", path, address)
		return nil
	}
	file, err := clientfiles.PackParams(content)
	if err == nil {
		err = keepFirst(path)
	}
	if err == nil {
		err = atomicfile.Write(path, file, 0o644)
	}
	if err != nil {
		return err
	}
	env.answers().line("%s points at %s now", path, address)
	return nil
}

// oldServers is what a file says, or, where it is not there or not whole, the copy of the client's own file, or what a
// new one begins with. A file that is there and cannot be read is not to be replaced: that is an error.
func oldServers(env *environment, path string) (content []byte, whole bool, err error) {
	content, err = readServers(path)
	switch {
	case err == nil:
		return content, true, nil
	case errors.Is(err, fs.ErrNotExist):
	case errors.As(err, new(*fs.PathError)):
		return nil, false, err
	default:
		env.note("%v; the file is made anew", err)
	}
	if content, err = readServers(path + keptSuffix); err != nil {
		content = []byte(newServers)
	}
	return content, false, nil
}

// keptSuffix is what the name of the client's own file ends with where it is kept.
const keptSuffix = ".old"

// keepFirst keeps the file as it came with the client: a copy that is there already is older, so it stays.
func keepFirst(path string) error {
	if _, err := os.Stat(path + keptSuffix); err == nil {
		return nil
	}
	file, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	return atomicfile.Write(path+keptSuffix, file, 0o644)
}
