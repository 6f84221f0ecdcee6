// Package gowarcraft plays games on "sphere w3host" with a client that nobody here wrote:
// github.com/nielsAD/gowarcraft3. It compares what that client has read with what our host knows.
//
// That client has habits of its own, which the host does not mind: an empty tick that it writes has 8 bytes instead of
// 6; its player never answers ticks, so the test does that for it; it lets a block of a tick claim more than the packet
// holds, and crashes then, so that only whole blocks may be sent to it; it closes at once when it leaves, without
// waiting for the answer.
//
// The script run beside this file fetches the module and starts the tests.
package gowarcraft

// The library needs a newer version of this than it asks for.
import _ "golang.org/x/net/ipv4"
