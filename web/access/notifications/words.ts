import type { Notification } from '@innkeeper/contract/access/notifications'
import type { Shape } from '../../kit/look/Glyph.tsx'
import type { Colour } from '../../palette.ts'

/** Each level has its own mark, because colour alone is not accessible. */
export const marks: Record<Notification['level'], { shape: Shape; colour: Colour; word: string }> = {
  info: { shape: 'info', colour: 'info', word: 'Note' },
  success: { shape: 'check', colour: 'success', word: 'Done' },
  warning: { shape: 'bang', colour: 'warning', word: 'Warning' },
  error: { shape: 'cross', colour: 'error', word: 'Failed' },
}

/** The bell's count; the server counts to 100. */
export const badge = (unread: number): string => (unread > 99 ? '99+' : String(unread))
