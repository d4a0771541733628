import { request as requestHttp } from 'node:http'
import { request as requestHttps } from 'node:https'
import { isIP } from 'node:net'
import { connect } from 'node:tls'
import type { Settings } from '../../kit/app/settings.ts'
import { readyAt, workerReadyAt } from '../ready.ts'
import { type Finding, note, ok, wrong } from './finding.ts'

const ANSWER_MS = 5_000

/** What the services on this machine say of themselves. */
export async function portFindings(settings: Settings): Promise<Finding[]> {
  const problem = await readyAt(settings)
  const api = problem
    ? wrong('API', problem, 'innkeeper status, and journalctl -u innkeeper-*')
    : ok('API', `ready at port ${settings.port}`)
  if (settings.workerPort === undefined) return [api]
  const worker = await workerReadyAt(settings.workerPort)
  return [api, worker ? wrong('worker', worker, 'journalctl -u innkeeper-worker') : ok('worker', 'ready')]
}

/** Whether TLS answers at each address that agents know. */
export async function agentFindings({
  agentAddresses,
  publicHost,
  agentPort,
  agentHost,
}: Settings): Promise<Finding[]> {
  if (/^(127\.|::1$|localhost$)/.test(agentHost))
    return [wrong('agents’ port', `listens on ${agentHost} alone`, 'INNKEEPER_AGENT_HOST=0.0.0.0')]
  const places = agentAddresses.length ? agentAddresses : [`https://${publicHost ?? '127.0.0.1'}:${agentPort}`]
  return Promise.all(
    places.map(async (place) => {
      const { hostname, port } = new URL(place)
      const problem = await handshake(hostname.replace(/^\[|\]$/g, ''), Number(port || 443))
      return problem
        ? wrong(
            'agents’ port',
            `${place} does not answer: ${problem}`,
            'open the port in the firewall; a balancer passes TLS through (layer 4)',
          )
        : ok('agents’ port', `${place} answers`)
    }),
  )
}

function handshake(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const end = (problem?: string) => {
      socket.destroy()
      resolve(problem)
    }
    // agents know the key of Innkeeper by its pin: no authority vouches for it
    const socket = connect({ host, port, rejectUnauthorized: false, ...(!isIP(host) && { servername: host }) })
    socket.setTimeout(ANSWER_MS, () => end('no answer'))
    socket.once('secureConnect', () => end())
    socket.once('error', (error) => end(error.message))
  })
}

/** What browsers get at the public name: Innkeeper, with sockets, and with their own address. */
export async function proxyFindings(settings: Settings): Promise<Finding[]> {
  const { publicHost, trustProxy, https, port, host } = settings
  const loopback = /^(127\.|::1$|localhost$)/.test(host)
  if (https && trustProxy.length)
    return [
      note(
        'proxy',
        'INNKEEPER_TRUST_PROXY is set, and Innkeeper serves https itself',
        'remove it if browsers come directly',
      ),
    ]
  if (loopback && !trustProxy.length)
    return [
      wrong(
        'proxy',
        `Innkeeper listens on ${host} alone, and trusts no proxy`,
        `INNKEEPER_TRUST_PROXY=${host}: else every visitor has the address of the proxy`,
      ),
    ]
  if (!publicHost)
    return [
      note(
        'proxy',
        'INNKEEPER_PUBLIC_HOST is not set',
        'name the host that browsers use, so that the doctor can ask there',
      ),
    ]
  const secure = https !== undefined || trustProxy.length > 0
  const at = trustProxy.length ? 443 : port
  const place = `${secure ? 'https' : 'http'}://${publicHost}${at === (secure ? 443 : 80) ? '' : `:${at}`}`
  const answer = await upgrade(place)
  if (typeof answer === 'string')
    return [wrong('proxy', `${place} does not answer: ${answer}`, 'check its name, its certificate and the firewall')]
  if (answer === 401) return [ok('proxy', `${place} reaches Innkeeper, with sockets`)]
  if (answer === 403)
    return [
      wrong(
        'proxy',
        'changes the Host header, so that sockets are refused',
        'nginx: proxy_set_header Host $http_host; see docs/operators/proxies.md',
      ),
    ]
  return [
    wrong(
      'proxy',
      `answers ${answer} to a socket`,
      'let it pass Upgrade and Connection: see docs/operators/proxies.md',
    ),
  ]
}

/** Asks for a socket as a browser does, without a session: Innkeeper answers 401 if all headers arrived. */
function upgrade(place: string): Promise<number | string> {
  const url = new URL('/ws', place)
  const headers = {
    ...{ connection: 'Upgrade', upgrade: 'websocket', origin: url.origin, 'sec-websocket-version': '13' },
    'sec-websocket-key': Buffer.from('innkeeper doctor').toString('base64'),
  }
  return new Promise((resolve) => {
    const sent = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      headers,
      timeout: ANSWER_MS,
      agent: false,
    })
    const end = (answer: number | string) => {
      sent.destroy()
      resolve(answer)
    }
    sent.on('response', ({ statusCode = 0 }) => end(statusCode))
    sent.on('upgrade', () => end(101))
    sent.on('timeout', () => end('no answer'))
    sent.on('error', (error) => end(error.message)).end()
  })
}
