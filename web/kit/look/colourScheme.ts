import { localStorageColorSchemeManager, type MantineColorSchemeManager } from '@mantine/core'

const stored = localStorageColorSchemeManager({ key: 'innkeeper.theme' })
type Scheme = Parameters<MantineColorSchemeManager['set']>[0]
let shown: ((scheme: Scheme) => void) | undefined

/** The theme as this browser was told last; without a word the system's own preference counts. */
export const colourScheme: MantineColorSchemeManager = {
  ...stored,
  subscribe(onUpdate) {
    shown = onUpdate
    stored.subscribe(onUpdate)
  },
  unsubscribe() {
    shown = undefined
    stored.unsubscribe()
  },
}

/** What the person chose, here or elsewhere. */
export function showTheme(scheme: Scheme): void {
  if (colourScheme.get('auto') === scheme) return
  // the provider keeps what it shows; before it is there the choice waits for it
  if (shown) shown(scheme)
  else colourScheme.set(scheme)
}
