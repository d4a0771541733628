import { run } from '../../kit/host.ts'
import type { Account } from '../accounts/systemAccounts.ts'

interface Asked {
  root: string
  php: string
  domain: string
  account: Account
}

/** systemd settings that confine a restored website while it runs as a test. */
const limits = [
  ...['memory_limit=512M', 'max_execution_time=40', 'display_errors=0', 'log_errors=1', 'sendmail_path=/bin/false'],
  'disable_functions=exec,shell_exec,system,passthru,proc_open,popen,pcntl_exec,mail',
]

/**
 * Runs inside, as the account: PHP serves the folder, MariaDB is reached over TCP too, as some applications ask, and one
 * request is made. Prints the status and the beginning of the page.
 */
const inside = `
const net = require('node:net'), http = require('node:http'), { spawn } = require('node:child_process')
const [php, root, host, ...limits] = process.argv.slice(1)
net.createServer((one) => {
  const other = net.connect('/run/mysqld/mysqld.sock')
  one.pipe(other).pipe(one)
  one.on('error', () => other.destroy()); other.on('error', () => one.destroy())
}).listen(3306, '127.0.0.1')
const server = spawn(php, [...limits.flatMap((one) => ['-d', one]), '-S', '127.0.0.1:8080', '-t', root], { stdio: ['ignore', 'ignore', 'pipe'] })
let said = ''
server.stderr.on('data', (part) => { if (said.length < 2000) said += part })
const end = (status, start) => { console.log(JSON.stringify({ status, start: start.slice(0, 300) })); server.kill('SIGKILL'); process.exit(0) }
server.on('error', (error) => end(0, String(error)))
let tries = 0
const ask = () => {
  const asked = http.get({ host: '127.0.0.1', port: 8080, path: '/', headers: { host, 'user-agent': 'Innkeeper restore drill' }, timeout: 45000 }, (answer) => {
    let body = ''
    answer.setEncoding('utf8').on('data', (part) => { if (body.length < 2000) body += part })
    // an application may show its errors with status 200
    answer.on('end', () => end(/Fatal error/.test(said) ? 500 : answer.statusCode, /Fatal error/.test(said) || answer.statusCode >= 500 ? body + ' ' + said : body))
  })
  asked.on('timeout', () => asked.destroy(new Error('no answer within 45 s')))
  asked.on('error', (error) => error.code === 'ECONNREFUSED' && ++tries < 50 ? setTimeout(ask, 100) : end(0, error.message + ' ' + said))
}
ask()
`

/** Requests the page of a folder without a network: nothing that runs there reaches another machine. */
export async function requestInside({ root, php, domain, account: { uid, gid } }: Asked) {
  const enter = 'ip link set lo up; mount -t tmpfs -o size=256m tmpfs /tmp; chmod 1777 /tmp; exec "$@"'
  const as = ['setpriv', `--reuid=${uid}`, `--regid=${gid}`, '--clear-groups', '--no-new-privs']
  const { stdout, stderr } = await run(
    [
      ...(['unshare', '--net', '--mount', '--pid', '--fork', '--kill-child', '--propagation', 'private'] as const),
      ...['/bin/sh', '-euc', enter, 'drill', ...as, 'timeout', '--signal=KILL', '90'],
      ...[process.execPath, '-e', inside, php, root, domain, ...limits],
    ],
    { env: { HOME: '/tmp' } },
  )
  const line = stdout.split('\n').find((one) => one.startsWith('{'))
  if (!line) throw new Error(`the page could not be requested: ${stderr.slice(0, 500)}`)
  return JSON.parse(line) as { status: number; start: string } // printed by the program above
}
