import { execFile } from 'node:child_process'

/**
 * Tells systemd about this process, where a unit of `Type=notify` started it. Node cannot send datagrams to a Unix socket,
 * so the program of systemd sends them, and waits until systemd has read them.
 */
export function tellSystemd(state: 'ready' | 'stopping', text: string): Promise<void> {
  if (!process.env.NOTIFY_SOCKET) return Promise.resolve()
  return new Promise((resolve) => {
    execFile('systemd-notify', [`--${state}`, `--status=${text}`], (error) => {
      if (error) console.error(`systemd was not told that Innkeeper is ${state}: ${error.message.trim()}`)
      resolve()
    })
  })
}
