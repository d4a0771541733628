/** The logo: the tag of a room key, with a hole above and a keyhole below. */
export const Logo = ({ size = 22 }: { size?: number }) => (
  <svg width={size} height={size} viewBox="0 0 24 24" aria-hidden style={{ flex: 'none' }}>
    <path
      d="M7.5 1h9A4.5 4.5 0 0 1 21 5.5v11.2a4.5 4.5 0 0 1-1.6 3.4l-4.5 3.8a4.5 4.5 0 0 1-5.8 0l-4.5-3.8A4.5 4.5 0 0 1 3 16.7V5.5A4.5 4.5 0 0 1 7.5 1Z"
      fill="var(--mantine-color-primary-filled)"
    />
    <circle cx="12" cy="4.8" r="1.35" fill="var(--ink-canvas)" />
    <path d="M12 9a2.7 2.7 0 0 1 1.35 5.03l.75 4.17H9.9l.75-4.17A2.7 2.7 0 0 1 12 9Z" fill="#fff" />
  </svg>
)
