// Package packets is the game's wire: frames in both directions, the bit grammar of their bodies with one Go type for
// each message, the obfuscation and checksum of client frames. It knows no socket, no world and no store.
//
// A message declares its fields once, in a method that reads and writes them (see [Region] and [Command]), so
// decoding and encoding are exact inverses. Unknown bits are kept as they are and counted, never dropped.
//
//	frame ── header ── body ── section (object, class) ── region ── command
//
// [DecodeFrame] and [Frame.Append] are for tools: they keep everything. A server encodes with [AppendServer], a client
// with [AppendClient]; both append to a slice of the caller's and allocate nothing.
package packets
