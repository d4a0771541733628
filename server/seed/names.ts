/** Invented people and places of a northern hosting provider. */
export const firstNames =
  'Ingrid Erik Amelie Matthias Sofia Lars Astrid Jonas Freja Nils Klara Oskar Maja Henrik Liv Anton Signe Viktor Elin Mikkel Tuva Aksel Saga Emil Hanna Rasmus Nora Johan Alma Leif Greta Sven Ida Magnus Ella Kristian Vera Gustav Thea Bjorn'.split(
    ' ',
  )
export const lastNames =
  'Solberg Lindqvist Brandt Kern Holmgren Vestergaard Elvestad Marlow Kvist Rosenthal Bakken Hedlund Kaiser Dahl Nyberg Strand Falk Moen Berglund Aasen Lund Hagen Sandvik Ekman Thorsen Winther Fossum Engstrom Krogh Lindahl'.split(
    ' ',
  )
export const brands =
  'nordlys hafen vestergaard elvestad kvist rosenthal fabrikken bakken holmgren solveig hedlund kaiser granit fjord birke alm ostwind sommer vinter brygge torget molle havn strand lykke lerche falke ravn ulv bjork eik furu lind'.split(
    ' ',
  )
export const trades =
  'kaffe bygg bageri optik fysio studio immobilien regnskap restaurant foto yoga steuerberatung verlag blomster hotell sykkel garten tannlege elektro moebler keramik boker reisen musikk design klinikk frisor arkitekt'.split(
    ' ',
  )
export const parts = 'shop booking kunde blog jobb kurs arkiv presse'.split(' ')
export const branches = 'nord gruppen service vest partner online studio sentrum'.split(' ')
export const endings = ['no', 'se', 'dk', 'fi', 'de', 'com', 'eu'] as const
export const forms: Record<(typeof endings)[number], string> = {
  no: 'AS',
  se: 'AB',
  dk: 'ApS',
  fi: 'Oy',
  de: 'GmbH',
  com: 'Ltd',
  eu: 'SE',
}
export const sites = ['osl', 'hel', 'fra'] as const
