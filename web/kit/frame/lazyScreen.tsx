import { type ComponentType, useEffect, useRef, useState } from 'react'
import { useNow } from '../look/useNow.ts'
import { LoadError } from './emptyStates.tsx'
import { Skeletons } from './Skeletons.tsx'
import { createStore, useStore } from './store.ts'
import { frameTexts } from './texts.ts'

/** RP9-005: timeout for loading the code of a screen, in milliseconds. */
const CHUNK_TIMEOUT = 120_000
/** Milliseconds before the second attempt. */
const AGAIN = 500
const MINUTE = 60_000

type Load<P> = () => Promise<{ default: ComponentType<P> }>
type Code<P> = ReturnType<typeof codeOf<P>>

/**
 * A screen whose code loads with its route. The router starts the fetch with the navigation; after a failure or
 * timeout the page shows the error and a retry, which React.lazy cannot do.
 */
export const lazyScreen = (load: Load<object>) => lazyPart(load, Skeletons, 1)

/** A heavy part of a screen whose code loads on first render; `waiting` is shown meanwhile, with the same props. */
export function lazyPart<P extends object>(load: Load<P>, waiting: ComponentType<P>, order: 1 | 2 = 2) {
  const code = codeOf(load)
  const part = (props: P) => <Fetched code={code} props={props} waiting={waiting} order={order} />
  // the part shows the failure; a preload ignores it
  return Object.assign(part, { preload: () => code.fetch().catch(() => undefined) })
}

/** A dialog whose code loads when it opens. Closing it restores the focus, so that the calendar works by keys alone. */
export function lazyDialog<P extends object>(load: Load<P>) {
  const Part = lazyPart(load, () => null)
  const dialog = (props: P) => {
    const before = useRef(document.activeElement)
    useEffect(
      () => () => {
        const isLost = document.activeElement === document.body
        if (isLost && before.current instanceof HTMLElement) before.current.focus({ preventScroll: true })
      },
      [],
    )
    return <Part {...props} />
  }
  return Object.assign(dialog, { preload: Part.preload })
}

let loading = 0
/** How many screens and parts load their code now. */
export const partsLoading = (): number => loading

function codeOf<P>(load: Load<P>) {
  const part = createStore<ComponentType<P> | undefined>(undefined)
  let running: Promise<void> | undefined
  const begin = async () => {
    loading += 1
    try {
      part.set((await inTime(patiently(load))).default)
    } finally {
      loading -= 1
      running = undefined
    }
  }
  return {
    part,
    async fetch(): Promise<void> {
      if (part.get()) return
      running ??= begin()
      return running
    },
  }
}

interface FetchedProps<P> {
  code: Code<P>
  props: P
  waiting: ComponentType<P>
  order: 1 | 2
}
function Fetched<P extends object>({ code, props, waiting: Waiting, order }: FetchedProps<P>) {
  const [attempt, setAttempt] = useState(0)
  const [error, setError] = useState<Error>()
  const Part = useStore(code.part)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new `attempt` asks for another run
  useEffect(() => {
    let left = false
    code.fetch().catch((cause: Error) => left || setError(cause))
    return () => {
      left = true
    }
  }, [code, attempt])
  const again = () => {
    setError(undefined)
    setAttempt(attempt + 1)
  }
  // a screen that stays open is drawn again each minute, so that its ages are true
  useNow(order === 1 && MINUTE)
  if (Part) return <Part {...props} />
  return error ? <LoadError error={error} onRetry={again} order={order} /> : <Waiting {...props} />
}

type Module<P> = { default: ComponentType<P> }
let attempts = 0

/** Retries once before it reports a failure, so that a short interruption stays invisible. */
async function patiently<P>(load: () => Promise<Module<P>>): Promise<Module<P>> {
  try {
    return await load()
  } catch (error) {
    await new Promise((resolve) => setTimeout(resolve, AGAIN))
    return load().catch(() => atNewAddress(error))
  }
}

/** Chromium before 156 never requests a failed script again at the same address, so this adds a query to the address. */
async function atNewAddress<P>(error: unknown): Promise<Module<P>> {
  const address =
    error instanceof Error ? error.message.split(' ').find((word) => /^https?:.*\.js$/.test(word)) : undefined
  if (!address) throw error
  attempts += 1
  const module: Partial<Module<P>> = await import(/* @vite-ignore */ `${address}?attempt=${attempts}`)
  if (!module.default) throw error
  return { default: module.default }
}

function inTime<T>(work: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(frameTexts().late)), CHUNK_TIMEOUT)
  })
  return Promise.race([work, late]).finally(() => clearTimeout(timer))
}
