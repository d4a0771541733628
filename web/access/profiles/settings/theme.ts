import { colourScheme, showTheme } from '../../../kit/look/colourScheme.ts'
import { profilesApi } from '../api.ts'

export type Theme = 'light' | 'dark' | 'auto'

/** Applies the theme at once and saves it; restores the former theme on failure. Rejects with ApiError. */
export async function chooseTheme(id: number, theme: Theme): Promise<void> {
  const before = colourScheme.get('auto')
  showTheme(theme)
  try {
    // a reload must not take the choice back
    await profilesApi.config({ id, enabledDarkTheme: theme === 'auto' ? null : theme === 'dark' }, { keepalive: true })
  } catch (error) {
    showTheme(before)
    throw error
  }
}
