import { spawn } from 'node:child_process'

export type Ran = { code: number; stdout: string; stderr: string }

export type RunOptions = {
  /** Written to the command's standard input, which is then closed. */
  input?: string | Buffer
  /** Time limit in ms, after which the whole process group is killed. The code is then 124, as in `timeout`. */
  timeoutMs?: number
  signal?: AbortSignal
  /** Called with each complete line of standard output and standard error. */
  onLine?: (line: string) => void
}

/** Runs a command to its end. Never throws for a code other than 0; throws when the program cannot be started. */
export function run(argv: readonly string[], options: RunOptions = {}): Promise<Ran> {
  const [program = '', ...args] = argv
  return new Promise((resolve, reject) => {
    // A process group of its own, so that a timeout also kills children in another pid namespace.
    const child = spawn(program, args, { stdio: ['pipe', 'pipe', 'pipe'], detached: true })
    let late = false
    const end = () => child.pid && killGroup(child.pid)
    const timer = options.timeoutMs
      ? setTimeout(() => {
          late = true
          end()
        }, options.timeoutMs)
      : undefined
    options.signal?.addEventListener('abort', end, { once: true })

    const stdout = gather(child.stdout, options.onLine)
    const stderr = gather(child.stderr, options.onLine)
    child.stdin.on('error', () => {}) // the command may end before it has read its input
    child.stdin.end(options.input)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(timer)
      options.signal?.removeEventListener('abort', end)
      const why = late ? `\n${program} took longer than ${options.timeoutMs} ms` : ''
      resolve({ code: late ? 124 : (code ?? (signal ? 137 : 1)), stdout: stdout(), stderr: stderr() + why })
    })
    if (options.signal?.aborted) end()
  })
}

/** Runs a command that must succeed and answers its standard output. Throws with its standard error. */
export async function must(argv: readonly string[], options: RunOptions = {}): Promise<string> {
  const ran = await run(argv, options)
  if (ran.code !== 0) throw new Error(`${argv.join(' ')}: ${(ran.stderr || ran.stdout).trim() || `code ${ran.code}`}`)
  return ran.stdout
}

function gather(stream: NodeJS.ReadableStream, onLine?: (line: string) => void): () => string {
  const chunks: Buffer[] = []
  let rest = ''
  stream.on('data', (chunk: Buffer) => {
    chunks.push(chunk)
    if (!onLine) return
    const lines = (rest + chunk.toString()).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) onLine(line)
  })
  return () => Buffer.concat(chunks).toString()
}

function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // the command ended by itself
  }
}
