package main

import "github.com/spf13/cobra"

// queryCommand is "sphere query": what server browsers ask, of our servers and of others'.
func queryCommand(env *environment) *cobra.Command {
	return group("query", "Ask a game server who it is and who plays there",
		aseQueryCommand(env), minecraftQueryCommand(env), w3gsQueryCommand(env), lanQueryCommand(env))
}
