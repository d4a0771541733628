import { initials } from './initials.ts'

/** Tints: a page of people stays calm, and a person keeps the colour everywhere. */
const tints = ['primary', 'accent', 'info', 'success', 'warning', 'secondary'] as const
const tintOf = (name: string) =>
  tints[[...name].reduce((sum, letter) => sum + (letter.codePointAt(0) ?? 0), 0) % tints.length]

interface Props {
  name: string
  /** Path in the public part of the file manager. */
  image?: string | null
  size?: number
}

/** A person's picture or initials. Initials are drawn locally, because an external service would learn the names. */
export function Avatar({ name, image, size = 28 }: Props) {
  if (image) {
    const src = `/api/internal-file-manager/public/${image.split('/').map(encodeURIComponent).join('/')}`
    return <img src={src} alt="" width={size} height={size} style={{ borderRadius: '50%', objectFit: 'cover' }} />
  }
  const tint = tintOf(name)
  return (
    <svg width={size} height={size} viewBox="0 0 28 28" aria-hidden style={{ flex: 'none' }}>
      <circle cx="14" cy="14" r="14" fill={`var(--mantine-color-${tint}-light)`} />
      <text
        x="14"
        y="14"
        dominantBaseline="central"
        textAnchor="middle"
        fill={`var(--mantine-color-${tint}-light-color)`}
        fontSize="10.5"
        fontWeight="600"
        fontFamily="var(--mantine-font-family)"
      >
        {initials(name).slice(0, 2).toUpperCase()}
      </text>
    </svg>
  )
}
