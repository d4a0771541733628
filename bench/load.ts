import { Agent, request } from 'node:http'

export interface Measured {
  /** Answers a second over all connections. */
  rate: number
  /** Milliseconds. */
  p50: number
  p99: number
}

/** `connections` callers, one request at a time each, for `seconds`; throws at the first answer that is not 200. */
export async function load(
  port: number,
  path: (n: number) => string,
  token: string,
  seconds: number,
  connections = 32,
): Promise<Measured> {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  const times: number[] = []
  const end = performance.now() + seconds * 1000
  let sent = 0
  const caller = async () => {
    while (performance.now() < end) {
      const began = performance.now()
      await ask(agent, port, path(sent++), token)
      times.push(performance.now() - began)
    }
  }
  await Promise.all(Array.from({ length: connections }, caller))
  agent.destroy()
  times.sort((a, b) => a - b)
  const at = (share: number) => times[Math.floor(share * (times.length - 1))] ?? Number.NaN
  return { rate: times.length / seconds, p50: at(0.5), p99: at(0.99) }
}

function ask(agent: Agent, port: number, path: string, token: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { agent, host: '127.0.0.1', port, path, headers: { authorization: `Bearer ${token}` } },
      (answer) => {
        answer.resume()
        answer.on('end', () =>
          answer.statusCode === 200 ? resolve() : reject(new Error(`${path}: ${answer.statusCode}`)),
        )
      },
    )
    asked.on('error', reject)
    asked.end()
  })
}
