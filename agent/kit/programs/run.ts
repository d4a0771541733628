import { spawn } from 'node:child_process'
import { changesFiles, noteProgram } from '../files/ledger.ts'
import { type Watched, watch } from '../patience/watch.ts'
import { exclusive } from './exclusive.ts'

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions extends Pick<Watched, 'long' | 'works' | 'withinMs'> {
  /** Written to standard input, which is then closed. Secrets belong here. */
  input?: string
  env?: Record<string, string>
  /** Called for each complete line of standard output and standard error. */
  onLine?: (line: string) => void
  /** Runs as this account instead of root, so that the command cannot do more than the account may. */
  as?: { uid: number; gid: number }
}

export const minimal = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LC_ALL: 'C.UTF-8',
}
const kept = 32 * 1024 * 1024

/** Programs that change the lists of accounts, which only one of them can lock. */
const changesAccounts = new Set(['useradd', 'usermod', 'userdel', 'groupadd', 'groupmod', 'groupdel', 'gpasswd'])

/**
 * Runs a program by its argv, never by a shell. Throws if the program cannot start, or if it was ended with its child
 * processes because it did nothing for too long, but not for its exit code.
 */
export const run = (argv: readonly [string, ...string[]], options: RunOptions = {}): Promise<Ran> =>
  changesAccounts.has(argv[0])
    ? exclusive('the lists of accounts', () => started(argv, options))
    : started(argv, options)

function started(argv: readonly [string, ...string[]], options: RunOptions): Promise<Ran> {
  const [program, ...args] = argv
  const { as: account } = options
  const began = changesFiles(argv) ? Date.now() : undefined
  return new Promise((resolve, reject) => {
    // a process group, so that an end also kills the command's child processes
    const child = spawn(program, args, {
      cwd: '/',
      env: { ...minimal, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      ...account,
    })
    const watched = watch({ ...options, argv, pid: child.pid }, (reason) => {
      watched.end()
      killGroup(child.pid)
      reject(new Error(reason))
    })
    const stdout = gather(child.stdout, options.onLine)
    const stderr = gather(child.stderr, options.onLine)
    child.stdin.on('error', () => {}) // the command may exit before it has read all input; its exit code decides
    child.stdin.end(options.input)
    child.on('error', (error) => {
      watched.end()
      reject(error)
    })
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      watched.end()
      if (began !== undefined) noteProgram(began, Date.now())
      resolve({ code: code ?? (signal ? 128 : 1), stdout: stdout(), stderr: stderr() })
    }
    child.on('close', end)
    // a daemon started by the command may keep the pipes open after the command's exit
    child.on('exit', (code, signal) => setTimeout(() => end(code, signal), 1000).unref())
  })
}

/** Runs a program and returns its standard output. Throws with the program's error output on any exit code but 0. */
export async function must(argv: readonly [string, ...string[]], options: RunOptions = {}): Promise<string> {
  const ran = await run(argv, options)
  if (ran.code === 0) return ran.stdout
  const said = lastSaid(ran.stderr) || lastSaid(ran.stdout)
  throw new Error(`${argv.slice(0, 3).join(' ')} ended with ${ran.code}${said && `: ${said}`}`)
}

const repeated = '\n--------------\n\nERROR '
/**
 * The end of what a program said. MariaDB's client repeats the statement before its error: it may contain rows of
 * customers, or a password.
 */
export function lastSaid(text: string): string {
  const at = text.lastIndexOf(repeated)
  return (at < 0 ? text : text.slice(at + repeated.length - 'ERROR '.length)).trim().slice(-2000)
}

/** Collects the last 64 KiB of a stream, where programs say why they end. Call the answer once the stream has ended. */
export function gatherEnd(stream: NodeJS.ReadableStream): () => string {
  let end = Buffer.alloc(0)
  stream.on('data', (part: Buffer) => {
    end = Buffer.concat([end, part]).subarray(-65_536)
  })
  return () => end.toString()
}

/** Collects the first 32 MiB of a stream. Call the answer once the stream has ended. */
export function gather(stream: NodeJS.ReadableStream, onLine?: (line: string) => void): () => string {
  const parts: Buffer[] = []
  let size = 0
  let rest = ''
  stream.on('data', (part: Buffer) => {
    if (size < kept) parts.push(part)
    size += part.length
    if (!onLine) return
    const lines = (rest + part.toString()).split(/\r?\n/)
    rest = (lines.pop() ?? '').slice(-65_536)
    for (const line of lines) onLine(line)
  })
  stream.on('end', () => rest && onLine?.(rest))
  return () => Buffer.concat(parts).toString()
}

export function killGroup(pid: number | undefined): void {
  if (!pid) return
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // the process ended by itself
  }
}
