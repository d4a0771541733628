import { spawn } from 'node:child_process'

export interface Ran {
  code: number
  stdout: string
  stderr: string
}

export interface RunOptions {
  /** Written to standard input, which is closed afterwards: the place for secrets. */
  input?: string
  /** Default 60 s. A command that takes longer is killed with all that it started, and has failed. */
  timeoutMs?: number
  env?: Record<string, string>
  /** Each complete line of standard output and standard error as it comes. */
  onLine?: (line: string) => void
  /** Runs as this account instead of root: what it may not do, the command cannot be tricked into. */
  as?: { uid: number; gid: number }
}

export const minimal = {
  PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
  HOME: '/root',
  LC_ALL: 'C.UTF-8',
}
const kept = 32 * 1024 * 1024

/** Runs a program by its argv, never by a shell. Throws when it cannot be started or takes too long, not for a code. */
export function run(argv: readonly [string, ...string[]], options: RunOptions = {}): Promise<Ran> {
  const [program, ...args] = argv
  const { timeoutMs = 60_000, as: account } = options
  return new Promise((resolve, reject) => {
    // a group of its own, so that the end by time reaches what the command started
    const child = spawn(program, args, {
      cwd: '/',
      env: { ...minimal, ...options.env },
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
      ...account,
    })
    const timer = setTimeout(() => {
      killGroup(child.pid)
      reject(new Error(`${program} took longer than ${timeoutMs / 1000} s and was ended`))
    }, timeoutMs)
    const stdout = gather(child.stdout, options.onLine)
    const stderr = gather(child.stderr, options.onLine)
    child.stdin.on('error', () => {}) // it may end before it has read its input: its code tells
    child.stdin.end(options.input)
    child.on('error', (error) => {
      clearTimeout(timer)
      reject(error)
    })
    const end = (code: number | null, signal: NodeJS.Signals | null) => {
      clearTimeout(timer)
      resolve({ code: code ?? (signal ? 128 : 1), stdout: stdout(), stderr: stderr() })
    }
    child.on('close', end)
    // a daemon that it left behind may hold our pipes open: the command itself has ended all the same
    child.on('exit', (code, signal) => setTimeout(() => end(code, signal), 1000).unref())
  })
}

/** Runs a program that has to succeed; throws with what it said. Returns its standard output. */
export async function must(argv: readonly [string, ...string[]], options: RunOptions = {}): Promise<string> {
  const ran = await run(argv, options)
  if (ran.code === 0) return ran.stdout
  const said = (ran.stderr.trim() || ran.stdout.trim()).slice(-2000)
  throw new Error(`${argv.slice(0, 3).join(' ')} ended with ${ran.code}${said && `: ${said}`}`)
}

/** What a stream said, its first 32 MiB, once it has ended. */
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
    // it has just ended by itself
  }
}
