import { colourScheme, showTheme } from '../../kit/look/colourScheme.ts'
import { profilesApi } from '../api.ts'

export type Theme = 'light' | 'dark' | 'auto'

/** Shown at once and kept on the server; when it could not be kept the old one is shown again. Rejects with ApiError. */
export async function chooseTheme(id: number, theme: Theme): Promise<void> {
  const before = colourScheme.get('auto')
  showTheme(theme)
  try {
    await profilesApi.config({ id, enabledDarkTheme: theme === 'auto' ? null : theme === 'dark' })
  } catch (error) {
    showTheme(before)
    throw error
  }
}
