package chat

import (
	_ "embed" // names, arguments and help
	"strconv"

	"sphereserver/data/content"
	"sphereserver/server/ops"
	"sphereserver/world"
	"sphereserver/world/rules"
)

//go:embed commands.tsv
var commandList string

func init() {
	for _, cells := range content.TableLines(commandList, "#") {
		o := command{names: text(cells[0], cells[1]), client: cells[2], args: text(cells[3], cells[4]),
			private: cells[6] == "private", secret: cells[6] == "secret", help: text(cells[7], cells[8])}
		o.words, _ = strconv.Atoi(cells[5])
		o.do, o.verb = actions[cells[1]].do, actions[cells[1]].verb
		commands = append(commands, o)
	}
}

// actions are the functions of commands, by their English names, and the verbs of operators; nil for players' own.
var actions = map[string]struct {
	do   func(*commandContext) (string, error)
	verb ops.Any
}{
	"help":        {(*commandContext).help, nil},
	"who":         {(*commandContext).players, nil},
	"where":       {(*commandContext).where, nil},
	"guide":       {(*commandContext).guide, nil},
	"tell":        {(*commandContext).tell, nil},
	"ignore":      {(*commandContext).ignore, nil},
	"unignore":    {(*commandContext).unignore, nil},
	"clan":        {(*commandContext).clan, nil},
	"sayclan":     {sayOn(world.ClanSay), nil},
	"saygrp":      {sayOn(world.PartySay), nil},
	"unstuck":     {(*commandContext).unstuck, nil},
	"travel":      {(*commandContext).travel, nil},
	"duel":        {(*commandContext).duel, nil},
	"mission":     {(*commandContext).mission, nil},
	"guild":       {(*commandContext).guild, nil},
	"trade":       {(*commandContext).trade, nil},
	"offer":       {(*commandContext).offer, nil},
	"buy":         {(*commandContext).buy, nil},
	"repair":      {(*commandContext).repair, nil},
	"mark":        {(*commandContext).mark, nil},
	"firsthelp":   {(*commandContext).firstHelp, nil},
	"password":    {(*commandContext).password, nil},
	"rebirth":     {resetProgress(rules.Rebirth), nil},
	"titledown":   {resetProgress(rules.TitleDown), nil},
	"degreedown":  {resetProgress(rules.DegreeDown), nil},
	"resetskills": {resetProgress(rules.Unlearn), nil},
	"resetguild":  {resetProgress(rules.LeaveGuild), nil},
	"lang":        {(*commandContext).lang, nil},
	"time":        {(*commandContext).time, nil},
	"kick":        {(*commandContext).kick, ops.KickAccount},
	"mute":        {(*commandContext).mute, ops.MuteAccount},
	"unmute":      {(*commandContext).unmute, ops.UnmuteAccount},
	"tp":          {(*commandContext).teleport, ops.MoveCharacter},
	"summon":      {(*commandContext).summon, ops.MoveCharacter},
	"say":         {(*commandContext).announce, ops.Say},
	"ban":         {(*commandContext).ban, ops.BanAccount},
	"note":        {(*commandContext).note, ops.AddNote},
	"unban":       {(*commandContext).unban, ops.UnbanAccount},
	"give":        {(*commandContext).give, ops.GiveItem},
	"heal":        {(*commandContext).heal, ops.HealCharacter},
	"quest":       {(*commandContext).quest, ops.OrderMission},
	"revive":      {(*commandContext).revive, ops.ReviveCharacter},
	"spawn":       {(*commandContext).spawn, ops.SpawnNPC},
	"monster":     {(*commandContext).monster, ops.SummonMonster},
	"spawners":    {(*commandContext).spawners, ops.TurnSpawners},
	"instances":   {(*commandContext).instances, ops.ListInstances},
	"instance":    {(*commandContext).instance, ops.EnterInstance},
	"money":       {(*commandContext).money, ops.SetMoney},
	"level":       {(*commandContext).level, ops.SetLevels},
	"points":      {(*commandContext).points, ops.SetPoints},
	"shutdown":    {(*commandContext).shutdown, ops.StopServer},
	"rate":        {(*commandContext).rate, ops.OrderRate},
	"motd":        {(*commandContext).motd, ops.SetMotd},
	"maintenance": {(*commandContext).maintenance, ops.BeginMaintenance},
	"clear":       {(*commandContext).clear, ops.ClearItems},
}
