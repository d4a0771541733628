import { Anchor } from '@mantine/core'
import { splitLinks } from './links.ts'

/** Text in which web addresses are links that open in a new tab (RP5-010). */
export const Linkified = ({ text }: { text: string }) => (
  <>
    {splitLinks(text).map(({ at, text: part, href }) =>
      href ? (
        <Anchor key={at} href={href} target="_blank" rel="noopener" inherit underline="always">
          {part}
        </Anchor>
      ) : (
        part
      ),
    )}
  </>
)
