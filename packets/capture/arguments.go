package capture

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"strings"
)

// FromArguments returns the frames that the arguments of a command name: files, - for stdin, and hex, which may be
// spread over several arguments. Every hex argument is read before anything else, so that a mistake in it is an error
// at once.
func FromArguments(args []string, stdin io.Reader, o Options) (iter.Seq2[Recorded, error], error) {
	var sources []iter.Seq2[Recorded, error]
	for i := 0; i < len(args); i++ {
		if args[i] == "-" || isFile(args[i]) {
			sources = append(sources, fromFile(args[i], stdin, o))
			continue
		}
		first := i
		for i+1 < len(args) && args[i+1] != "-" && !isFile(args[i+1]) {
			i++
		}
		frames, err := ParseFrames(strings.Join(args[first:i+1], " "), o)
		if err != nil {
			for _, arg := range args[first : i+1] {
				if isFileName(arg) || i == first && isFolder(arg) {
					return nil, fileError(arg)
				}
			}
			return nil, fmt.Errorf("%s is neither a file nor hex: %w", abbreviated(args[first:i+1]), err)
		}
		sources = append(sources, func(yield func(Recorded, error) bool) {
			for _, f := range frames {
				if !yield(f, nil) {
					return
				}
			}
		})
	}
	return func(yield func(Recorded, error) bool) {
		for _, source := range sources {
			for r, err := range source {
				if !yield(r, err) {
					return
				}
			}
		}
	}, nil
}

// FromFiles returns the frames of files; - is stdin. A file that does not exist is an error at once.
func FromFiles(names []string, stdin io.Reader, o Options) (iter.Seq2[Recorded, error], error) {
	for _, name := range names {
		if name == "-" || isFile(name) {
			continue
		}
		return nil, fileError(name)
	}
	return FromArguments(names, stdin, o)
}

func fromFile(name string, stdin io.Reader, o Options) iter.Seq2[Recorded, error] {
	if name == "-" {
		return Read("stdin", stdin, o)
	}
	return func(yield func(Recorded, error) bool) {
		file, err := os.Open(name)
		if err != nil {
			yield(Recorded{}, err)
			return
		}
		defer file.Close()
		Read(name, file, o)(yield)
	}
}

// A FileError says that an argument is no file's name, and why.
type FileError struct {
	Name string // the argument
	error
}

// Unwrap returns the reason.
func (e FileError) Unwrap() error { return e.error }

// fileError returns the error of a name that is no file's.
func fileError(name string) error {
	_, err := os.Stat(name)
	switch {
	case err == nil:
		return FileError{name, fmt.Errorf("%s is a folder, expected a file", Clean(name))}
	case errors.Is(err, fs.ErrNotExist):
		return FileError{name, fmt.Errorf("%s: there is no such file", Clean(name))}
	}
	return FileError{name, fmt.Errorf("%s: %w", Clean(name), errors.Unwrap(err))}
}

// isFileName reports whether an argument that is no hex was meant to be a file's name.
func isFileName(arg string) bool {
	if strings.Contains(arg, "\n") {
		return false
	}
	return strings.ContainsAny(arg, "./") || strings.Contains(strings.ReplaceAll(arg, `\x`, ""), `\`)
}

func isFolder(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && info.IsDir()
}

// isFile reports whether an argument is a file: one that exists and is no directory, such as one called 26.
func isFile(arg string) bool {
	info, err := os.Stat(arg)
	return err == nil && !info.IsDir()
}

// abbreviated shows arguments in an error.
func abbreviated(args []string) string {
	s := []rune(strings.Join(args, " "))
	if len(s) > 40 {
		s = append(s[:40], '…')
	}
	return fmt.Sprintf("%q", string(s))
}
