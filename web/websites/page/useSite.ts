import { useQuery } from '@tanstack/react-query'
import { practiceApi } from '../../servers/api.ts'
import { siteAddress } from '../address.ts'

/** Returns a function from domain to browser address. Returns the plain domain until the practice state is loaded. */
export function useSite(): (domain: string) => string {
  const { data } = useQuery(practiceApi.practice.query())
  return (domain) => siteAddress(domain, data)
}
