import { useLocalStorage } from '@mantine/hooks'

/** The paths that a person pinned to the top of the menu, in the order of pinning. */
export function usePins(): { pins: string[]; toggle: (path: string) => void } {
  const [pins, setPins] = useLocalStorage<string[]>({
    key: 'innkeeper.pins',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const toggle = (path: string) =>
    setPins((now) => (now.includes(path) ? now.filter((pin) => pin !== path) : [...now, path]))
  return { pins, toggle }
}
