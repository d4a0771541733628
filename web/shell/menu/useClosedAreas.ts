import { useLocalStorage } from '@mantine/hooks'
import type { Area } from '../../domain.ts'

/** The areas of the menu that this person closed on this device. */
export function useClosedAreas(): { closed: Area[]; toggle: (area: Area) => void } {
  const [closed, setClosed] = useLocalStorage<Area[]>({
    key: 'innkeeper.closed-areas',
    defaultValue: [],
    getInitialValueInEffect: false,
  })
  const toggle = (area: Area) =>
    setClosed((now) => (now.includes(area) ? now.filter((one) => one !== area) : [...now, area]))
  return { closed, toggle }
}
