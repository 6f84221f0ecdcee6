// Asks a server with gamedig, by the type of game that it is told, and prints all that it shows as JSON.
import { GameDig } from 'gamedig'

const [type, host, port] = process.argv.slice(2)
const state = await GameDig.query({ type, host, port, givenPortOnly: type.startsWith('protocol-'), socketTimeout: 8000, attemptTimeout: 10000, maxRetries: 5 })
console.log(JSON.stringify(state))
