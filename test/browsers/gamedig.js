// Asks a server with gamedig, by the type of game that it is told, and prints all that it shows as JSON.
import { GameDig } from 'gamedig'

const [type, host, port] = process.argv.slice(2)
const state = await GameDig.query({ type, host, port, givenPortOnly: type.startsWith('protocol-'), socketTimeout: 4000, attemptTimeout: 5000 })
console.log(JSON.stringify(state))
