import { Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { Mono } from './Mono.tsx'
import css from './RowName.module.css'

interface Props {
  name: string
  /** The row's own page. */
  to: string
  mono?: boolean
  /** Whose it is. */
  second?: string
}

/** The first column: what it is, which leads to its page, and below it whose it is. */
export const RowName = ({ name, to, mono = true, second }: Props) => (
  <div className={css.name}>
    <Link to={to} className={css.link} title={name}>
      {mono ? <Mono fw={450}>{name}</Mono> : name}
    </Link>
    {second && (
      <Text c="dimmed" fz="xs" truncate>
        {second}
      </Text>
    )}
  </div>
)
