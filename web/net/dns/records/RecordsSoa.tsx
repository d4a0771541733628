import { Mono } from '../../../kit/look/Mono.tsx'
import css from './Records.module.css'

/** The SOA record of a zone, which Innkeeper manages. */
export const Soa = ({ soa }: { soa: string }) => (
  <tr>
    <td className={css.mark} />
    <td className={css.name}>
      <Mono className={css.text}>@</Mono>
    </td>
    <td>
      <Mono className={css.text}>SOA</Mono>
    </td>
    <td>
      <Mono className={css.text}>3600</Mono>
    </td>
    <td className={css.prio} />
    <td className={css.content}>
      <Mono className={css.text} title={`${soa}: Innkeeper maintains this record, so that its serial only rises`}>
        {soa}
      </Mono>
    </td>
    <td />
  </tr>
)
