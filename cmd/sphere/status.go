package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"sphereserver/server/admin"
	"sphereserver/server/ops"
)

// statusCommand is "sphere status".
func statusCommand(env *environment) *cobra.Command {
	counters, ready := false, false
	c := &cobra.Command{
		Use: "status", Short: "Show whether a server runs, and who is in the world", Args: expect(0),
		Long: `Show whether a server runs, and who is in the world. The exit code is 3 when none runs. With --ready it is 4
when players cannot come in, or their acts do not get to the disk: for those who watch over it, such as containers.`,
		RunE: func(c *cobra.Command, _ []string) error {
			var found ops.Report
			err := reach(c.Context(), env, false, func(conn *admin.Conn) (err error) {
				if found, err = admin.Do(c.Context(), conn, ops.GetReport, ops.Empty{}); err != nil {
					return err
				}
				return env.print(found, func(w printer) {
					switch s := found.Status; {
					case !ready:
						env.showReport(w, found, counters)
					case s != nil:
						w.line(cmp.Or(s.NotReady, "ready"))
					}
				})
			})
			switch {
			case errors.As(err, new(noDatabase)):
				env.note("%v", err)
				return exitCode(notRunning)
			case err == nil && !found.Running:
				return exitCode(notRunning)
			case err == nil && ready && found.Status.NotReady != "":
				return exitCode(notReady)
			}
			return err
		},
	}
	c.Flags().BoolVar(&counters, "counters", false, "also all that the server counts")
	c.Flags().BoolVar(&ready, "ready", false, "only whether players can come in and are saved, also by the exit code")
	return env.withJSON(c)
}

// notReady is the exit code of "sphere status --ready" of a server that is not.
const notReady = 4

// notRunning is the exit code of "sphere status" without a server, like that of services' scripts.
const notRunning = 3

func (env *environment) showReport(w io.Writer, r ops.Report, counters bool) {
	server, s := text("сервер", "server").In(env.russian), r.Status
	if s == nil {
		table(w, []string{server, text("не работает", "not running").In(env.russian)}, env.statusRows(r))
		return
	}
	state := text("работает с %s (%s)", "running since %s (%s)").In(env.russian, when(s.Started),
		ops.Span(time.Since(s.Started)))
	table(w, []string{server, state}, env.statusRows(r))
	if len(s.Characters) > 0 {
		fmt.Fprintln(w)
		table(w, env.words(text("В МИРЕ", "IN THE WORLD"), text("УЧЁТНАЯ ЗАПИСЬ", "ACCOUNT"),
			text("МЕСТО", "PLACE"), text("КООРДИНАТЫ", "POSITION")),
			each(s.Characters, func(c ops.OnlineCharacter) []string {
				return []string{c.Name, c.Account, ops.Where(c.Position).In(env.russian), positionText(c.Position)}
			}))
	}
	if counters {
		fmt.Fprintln(w)
		table(w, env.words(text("СЧЁТЧИК", "COUNTER"), text("ЗНАЧЕНИЕ", "VALUE")),
			each(slices.Sorted(maps.Keys(s.Counters)), func(name string) []string {
				return []string{name, strconv.FormatUint(s.Counters[name], 10)}
			}))
	}
}

// statusRows are the facts of a report, each with its name.
func (env *environment) statusRows(r ops.Report) (rows [][]string) {
	row := func(name, value ops.Text, args ...any) {
		rows = append(rows, []string{name.In(env.russian), value.In(env.russian, args...)})
	}
	row(text("в базе", "stored"), text(
		"учётных записей %d, персонажей %d, предметов %d",
		"%d accounts, %d characters, %d items"), r.Stored.Accounts, r.Stored.Characters, r.Stored.Items)
	row(text("баны", "bans"), text("учётных записей %d, адресов %d", "%d accounts, %d addresses"),
		r.Stored.AccountBans, r.Stored.AddressBans)
	s := r.Status
	if s == nil {
		return rows
	}
	row(text("игроки", "players"), text(
		"в мире %d, учётных записей в игре %d, сеансов %d",
		"%d in the world, %d accounts online, %d sessions"), s.Players, s.AccountsOnline, s.Sessions)
	if stop := s.Stops; stop != nil {
		row(text("остановка", "stop"), text("%s %s", "%s %s"), when(stop.At), stop.Reason)
	}
	if s.Rates != nil {
		row(text("рейты", "rates"), text("%s", "%s"), *s.Rates)
	}
	if s.Maintenance {
		row(text("работы", "maintenance"), text("войти могут только операторы и те, кого впускают", "only operators and "+
			"those that are let in get in"))
	}
	if s.NotReady != "" {
		row(text("не готов", "not ready"), text(russianSentence(s.NotReady), s.NotReady))
	}
	row(text("страница", "page"), text(cmp.Or(s.Page, "выключена"), cmp.Or(s.Page, "off")))
	if r.FirstLink != "" {
		row(text("администратор", "administrator"), text("ещё нет; создать: %s", "none yet; make one: %s"), r.FirstLink)
	}
	if g := s.Ground; g != nil {
		row(text("рельеф", "ground"), text(
			"из клиента, версия импорта %d: %s; места игроков: на земле %d, выше %d, ниже %d",
			"imported, version %d: %s; places of players: %d on it, %d above, %d below"), g.Version,
			strings.Join(g.Continents, ", "), s.Counters["places_on_ground"], s.Counters["places_above_ground"],
			s.Counters["places_below_ground"])
	}
	row(text("процесс", "process"),
		text("горутин %d, памяти в куче %.1f МиБ", "%d goroutines, %.1f MiB of heap"),
		s.Goroutines, float64(s.HeapBytes)/mebibyte)
	return rows
}

// auditCommand is "sphere audit".
func auditCommand(env *environment) *cobra.Command {
	var s ops.AuditSearch
	var within span
	c := &cobra.Command{
		Use: "audit [TARGET]", Short: "Show what operators have done, newest first",
		Args: expect(1, "a login or a character's name"),
		Long: "Show what operators have done, newest first: all of it, or what was done to one account or character.",
		Example: "  sphere audit --who chief --within 7d\n  sphere audit Hero\n" +
			"  sphere audit --action \"account ban\" --limit 20",
		RunE: func(c *cobra.Command, args []string) error {
			if s.Limit < 1 {
				return usagef(c, "--limit %d: expected a number above 0", s.Limit)
			}
			if s.Target = strings.Join(args, ""); within > 0 {
				s.Since = time.Now().Add(-time.Duration(within))
			}
			return verb(c.Context(), env, ops.Audit, s, func(w printer, trail []ops.AuditEntry) {
				table(w, env.words(text("КОГДА", "WHEN"), text("ЧТО", "WHAT")),
					each(trail, func(e ops.AuditEntry) []string { return []string{when(e.At), e.Sentence.In(env.russian)} }))
			})
		},
	}
	c.Flags().IntVar(&s.Limit, "limit", 100, "how many entries")
	c.Flags().StringVar(&s.Who, "who", "", "only what was done by this operator")
	c.Flags().StringVar(&s.Action, "action", "", "only actions that begin so: account, \"account ban\"")
	c.Flags().Var(&within, "within", "only what was done within this time: 12h, 7d")
	return env.withJSON(c)
}
