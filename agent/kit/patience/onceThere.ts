import { service } from '../programs/service.ts'
import { until } from './until.ts'

interface Engine {
  title: string
  unit: () => string
  /** Whether an error says that the engine took no question. */
  isAway: (error: unknown) => boolean
  probe: () => Promise<unknown>
}

/**
 * Asks an engine. Where it took no question, because the kernel killed it for memory or somebody restarts it, the question waits until
 * systemd has started it again. An engine that is stopped fails at once.
 */
export async function onceThere<T>({ title, unit, isAway, probe }: Engine, ask: () => Promise<T>): Promise<T> {
  try {
    return await ask()
  } catch (error) {
    if (!isAway(error) || !(await isComing(unit()))) throw error
    const starting = () => isComing(unit())
    await until({ what: `${title} answers`, unit: unit(), starting, look: probe })
    return await ask()
  }
}

/** Right after a kill the unit is active still, and then it waits for its start. */
const isComing = async (unit: string) => ['active', 'activating', 'deactivating'].includes(await service(unit).state())
