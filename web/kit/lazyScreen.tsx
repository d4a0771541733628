import { type ComponentType, useEffect, useState } from 'react'
import { Skeletons } from './Skeletons.tsx'
import { LoadError } from './states.tsx'

/** RP9-005: a screen's code may take this long, in milliseconds. */
export const CHUNK_TIMEOUT = 120_000

type Load = () => Promise<{ default: ComponentType }>
type Code = ReturnType<typeof codeOf>

/**
 * A screen that is fetched when it is opened. The router starts the fetch with the navigation; when it fails or takes
 * too long the page says so and offers another try, which React.lazy cannot give.
 */
export function lazyScreen(load: Load) {
  const code = codeOf(load)
  // the screen shows a failure itself, the router only waits for it
  return Object.assign(() => <Fetched code={code} />, { preload: () => code.fetch().catch(() => undefined) })
}

function codeOf(load: Load) {
  let arrived: ComponentType | undefined
  let running: Promise<void> | undefined
  return {
    get screen() {
      return arrived
    },
    async fetch(): Promise<void> {
      if (arrived) return
      running ??= inTime(load())
        .then((module) => {
          arrived = module.default
        })
        .finally(() => {
          running = undefined
        })
      return running
    },
  }
}

function Fetched({ code }: { code: Code }) {
  const [attempt, setAttempt] = useState(0)
  const [error, setError] = useState<Error>()
  const [, setArrived] = useState(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: attempt is what asks for another run
  useEffect(() => {
    if (code.screen) return
    let left = false
    code.fetch().then(
      () => left || setArrived(true),
      (cause: Error) => left || setError(cause),
    )
    return () => {
      left = true
    }
  }, [code, attempt])
  const again = () => {
    setError(undefined)
    setAttempt(attempt + 1)
  }
  if (code.screen) return <code.screen />
  return error ? <LoadError error={error} onRetry={again} /> : <Skeletons />
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('It did not arrive within 120 s.')), CHUNK_TIMEOUT)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
