import type { Notification } from '@innkeeper/contract/access/notifications'
import type { Shape } from '../../kit/look/Glyph.tsx'
import type { Colour } from '../../palette.ts'

/** Each level has its own mark, because colour alone is not accessible. */
export const marks: Record<Notification['level'], { shape: Shape; colour: Colour }> = {
  info: { shape: 'info', colour: 'info' },
  success: { shape: 'check', colour: 'success' },
  warning: { shape: 'bang', colour: 'warning' },
  error: { shape: 'cross', colour: 'error' },
}

/** The bell's count; the server counts to 100. */
export const badge = (unread: number): string => (unread > 99 ? '99+' : String(unread))
