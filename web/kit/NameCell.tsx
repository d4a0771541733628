import { Anchor, type AnchorProps, Text } from '@mantine/core'
import { createLink } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'

/** Pixels: a name of 253 characters would push the other columns out of sight. */
const MOST = 340

/** The first cell of a list: what the row is, as a `NameLink`, and below it whose it is or what else tells it apart. */
export const NameCell = ({ children, below }: { children: ReactNode; below: ReactNode }) => (
  <div style={{ minWidth: 0, maxWidth: MOST }}>
    {children}
    <Text c="dimmed" fz="xs" truncate>
      {below}
    </Text>
  </div>
)

/** The name of a row, which leads to its page: no blue in a column of links. */
export const NameLink = createLink((props: AnchorProps & Omit<ComponentProps<'a'>, 'color' | 'style'>) => (
  <Anchor c="inherit" underline="never" display="block" fw={450} truncate {...props} />
))
