import { Text, type TextProps } from '@mantine/core'
import type { ReactNode } from 'react'

/** What a machine reads: domains, ids, records, paths, scopes. A step smaller, so that it sits level with the sans. */
export const Mono = ({ children, ...props }: TextProps & { children: ReactNode; title?: string }) => (
  <Text span ff="monospace" fz="0.97em" className="mono" {...props}>
    {children}
  </Text>
)
