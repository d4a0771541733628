import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/** What vitest's JSON report leaves out of a test file. */
export interface Beside {
  /** Milliseconds with its imports and its hooks: hooks start hosts and fill Innkeeper. */
  ms: number
  /** Failures of the hooks of its groups of tests. */
  hooks: string[]
}

/** Writes into the file `TEST_TIMES` what vitest's JSON report leaves out, by test file. */
export default class Times implements Reporter {
  readonly #files: Record<string, Beside> = {}

  onTestModuleEnd(file: TestModule): void {
    const { duration, collectDuration, setupDuration } = file.diagnostic()
    const hooks = [...file.children.allSuites()].flatMap((group) =>
      group.errors().map(({ message, stack }) => `hook of ${group.fullName}\n${stack ?? message}`),
    )
    this.#files[file.moduleId] = { ms: Math.round(duration + collectDuration + setupDuration), hooks }
  }

  onTestRunEnd(): void {
    if (process.env.TEST_TIMES) writeFileSync(process.env.TEST_TIMES, JSON.stringify(this.#files))
  }
}
