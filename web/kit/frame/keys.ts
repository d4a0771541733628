import { useHotkeys } from '@mantine/hooks'
import { useEffect } from 'react'
import { createStore, useStore } from './store.ts'

export type KeyWords = readonly (readonly [keys: string, act: string])[]

/** Keys of one part of the open screen, as the help lists them. */
interface KeyGroup {
  title: string
  keys: KeyWords
}

const groups = createStore<readonly KeyGroup[]>([])
export const useKeyGroups = (): readonly KeyGroup[] => useStore(groups)

/** Lists keys in the help (`?`) while the part that has them is on the screen. `keys` is a constant, or one function for all languages. */
export function useKeyHelp(title: string, keys: KeyWords | (() => KeyWords)): void {
  useEffect(() => {
    const group = { title, keys: typeof keys === 'function' ? keys() : keys }
    groups.set([...groups.get(), group])
    return () => groups.set(groups.get().filter((one) => one !== group))
  }, [title, keys])
}

/** Each title once: two lists on one screen have the same keys. */
export const distinct = (all: readonly KeyGroup[]): KeyGroup[] =>
  all.filter(({ title }, n) => all.findIndex((other) => other.title === title) === n)

/** Whether the element takes keys as text; radio buttons and checkboxes do not. */
export const isWriting = (target: EventTarget | null): boolean =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && target.type !== 'radio' && target.type !== 'checkbox')

/** The button of the open page that leads to the form of a new row: a `CreateButton`. */
export const createButton = () => document.querySelector<HTMLElement>('#content [data-create]')

type Hotkeys = Parameters<typeof useHotkeys>[0]

/**
 * Keys of a screen. They work everywhere but in a field that takes text, which gets its letters: also on a radio button
 * or a tick.
 */
export const useKeys = (keys: Hotkeys): void =>
  useHotkeys(
    keys.map(([key, act, { preventDefault = true, ...how } = {}]): Hotkeys[number] => [
      key,
      (event) => {
        if (isWriting(event.target)) return
        if (preventDefault) event.preventDefault()
        act(event)
      },
      { ...how, preventDefault: false },
    ]),
    [],
  )
