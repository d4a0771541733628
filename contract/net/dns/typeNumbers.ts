/** Numbers of the record types that have a name here; zone files may write them as `TYPE257` (RFC 3597). */
const numbers: Record<string, number> = {
  ...{ A: 1, NS: 2, CNAME: 5, SOA: 6, MB: 7, MG: 8, MR: 9, WKS: 11, PTR: 12, HINFO: 13, MINFO: 14, MX: 15, TXT: 16 },
  ...{
    RP: 17,
    AFSDB: 18,
    SIG: 24,
    KEY: 25,
    AAAA: 28,
    LOC: 29,
    SRV: 33,
    NAPTR: 35,
    KX: 36,
    CERT: 37,
    A6: 38,
    DNAME: 39,
  },
  ...{ OPT: 41, APL: 42, DS: 43, SSHFP: 44, IPSECKEY: 45, RRSIG: 46, NSEC: 47, DNSKEY: 48, DHCID: 49, NSEC3: 50 },
  ...{ NSEC3PARAM: 51, TLSA: 52, SMIMEA: 53, RKEY: 57, CDS: 59, CDNSKEY: 60, OPENPGPKEY: 61, CSYNC: 62, ZONEMD: 63 },
  ...{ SVCB: 64, HTTPS: 65, SPF: 99, NID: 104, L32: 105, L64: 106, LP: 107, EUI48: 108, EUI64: 109, TKEY: 249 },
  ...{ TSIG: 250, IXFR: 251, AXFR: 252, MAILB: 253, MAILA: 254, ANY: 255, URI: 256, CAA: 257, DLV: 32769 },
  ...{ ALIAS: 65401, LUA: 65402 },
}
const names = new Map(Object.entries(numbers).map(([name, number]) => [number, name]))

export const numberOfType = (type: string): number | undefined =>
  Object.hasOwn(numbers, type) ? numbers[type] : undefined
export const nameOfNumber = (number: number): string | undefined => names.get(number)
