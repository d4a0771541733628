import { type ChildProcess, spawn } from 'node:child_process'
import { openSync, readSync, statSync, writeFileSync } from 'node:fs'

const text = '"(?:[^"\\\\]|\\\\.)*"(?:\\.\\.\\.)?'
const call = new RegExp(`execve(?:at)?\\((?:\\d+, )?(${text}), \\[((?:${text}(?:, )?)*)`)

/** A process under strace with all its children. */
export interface Traced {
  readonly child: ChildProcess
  /** Attempts to start programs since the last call: name and arguments, with numbers as `#`. */
  execs(): string[]
}

/**
 * `argv` enters the host by itself and must be ended there, because strace would only detach. The report goes to
 * `file`.
 */
export function traced(argv: readonly string[], file: string): Traced {
  writeFileSync(file, '')
  const strace = [
    '-f',
    '--seccomp-bpf',
    '-qq',
    '-v',
    '-s',
    '200000',
    '-e',
    'trace=execve,execveat',
    '-e',
    'signal=none',
  ]
  const child = spawn('strace', [...strace, '-o', file, ...argv], { stdio: ['ignore', 'pipe', 'pipe'] })
  const handle = openSync(file, 'r')
  let [from, rest] = [0, '']
  return {
    child,
    execs() {
      const { size } = statSync(file)
      const bytes = Buffer.alloc(size - from)
      from += readSync(handle, bytes, 0, bytes.length, from)
      const lines = (rest + bytes.toString()).split('\n')
      rest = lines.pop() ?? ''
      return lines.flatMap((line) => {
        if (!line.includes('execve')) return []
        if (/<\.\.\. execve/.test(line)) return [] // the end of a call that was reported before
        const found = call.exec(line)
        return [found ? shapeOf(found[1] ?? '', found[2] ?? '') : `cannot be read: ${line}`]
      })
    },
  }
}

/** node tries each folder of PATH; only the name counts, not the folder */
const shapeOf = (program: string, argv: string) =>
  `${program.replace(/^.*\/|"/g, '')} [${argv}]`
    .replace(/\/proc\/\d+\/fd\/\d+\//g, '/proc/#/fd/#/')
    .replace(/(?<=\/\.innkeeper-drills\/)\d+/g, '#')
    .replace(/\/trash\/\d{8}T\d{6}Z-\d+-/g, '/trash/#-#-')
    .replace(/(?<=\/tmp\/apt[\w.-]*\.)\w{6,10}/g, '#')
    .replace(/"\d+"/g, '"#"')
