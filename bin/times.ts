import { writeFileSync } from 'node:fs'
import type { Reporter, TestModule } from 'vitest/node'

/**
 * Writes into the file `TEST_TIMES` how many milliseconds each test file took with its imports and its hooks, which the times of
 * vitest's JSON report leave out: hooks start hosts and fill Innkeeper.
 */
export default class Times implements Reporter {
  readonly #ms: Record<string, number> = {}

  onTestModuleEnd(file: TestModule): void {
    const { duration, collectDuration, setupDuration } = file.diagnostic()
    this.#ms[file.moduleId] = Math.round(duration + collectDuration + setupDuration)
  }

  onTestRunEnd(): void {
    if (process.env.TEST_TIMES) writeFileSync(process.env.TEST_TIMES, JSON.stringify(this.#ms))
  }
}
