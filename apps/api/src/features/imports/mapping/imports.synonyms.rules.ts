import type { ImportKind } from '@guildhall/contract/features/imports'

// Headers as people write them, folded: lower case, no accents, letters and digits only. English, German, French, Spanish, Italian, Dutch,
// Portuguese, Swedish, Polish, Japanese.

const person = {
  memberNo:
    'memberno membernumber memberid membershipno membershipnumber membershipid member no number id personid bioguide mitgliedsnummer mitgliednr mitgliedsnr nummer nr numeroadherent numerodemembre numadherent matricule numerosocio numerodesocio nsocio numerotessera lidnummer relatienummer numerodesocio medlemsnummer numerczlonkowski 会員番号',
  fullName:
    'name fullname membername personname vollername namen nomcomplet nometprenom nombrecompleto nomecompleto volledigenaam naam namn imieinazwisko 氏名 名前',
  givenName:
    'firstname first givenname given forename christianname vorname rufname prenom prenoms nombre nombres nome primonome voornaam roepnaam fornamn imie 名',
  middleName:
    'middlename middle middlenames secondname zweitername deuxiemeprenom segundonombre secondonome tussennaam mellannamn drugieimie',
  familyName:
    'lastname last surname familyname family nachname familienname zuname nom nomdefamille apellido apellidos cognome achternaam sobrenome apelido efternamn nazwisko 姓 苗',
  suffix: 'suffix namesuffix namenszusatz suffixe sufijo suffisso',
  preferredName:
    'preferredname preferred nickname knownas goesby callname calledby spitzname surnom apodo soprannome bijnaam apelidousual smeknamn pseudonim',
  formerName: 'formername maidenname birthname nee previousname geburtsname nomdejeunefille nomdenaissance apellidodesoltera meisjesnaam',
  pronouns: 'pronouns pronomen pronoms pronombres pronomi',
  email:
    'email emailaddress mail emails primaryemail email1 emailprimary privateemail workemail epost mailadresse emailadresse courriel adressecourriel adressemail correo correoelectronico postaelettronica emailadres 電子メール メール',
  phone:
    'phone phonenumber telephone tel mobile mobilephone cell cellphone phone1 homephone workphone telefon telefonnummer handy mobil mobiltelefon handynummer telefono telefonomovil movil celular cellulare telefoon telefoonnummer mobielnummer portable telephoneportable numerodetelephone telefone telemovel telefonnr 電話番号 電話',
  street:
    'street address streetaddress address1 addressline1 mailingaddress postaladdress adresse anschrift strasse strassehausnummer rue adressepostale direccion calle indirizzo via straat adres endereco rua adress gata ulica 住所',
  city: 'city town place ort stadt wohnort ville commune ciudad poblacion localidad citta comune plaats woonplaats stad cidade miasto 市区町村',
  region: 'region state province county bundesland kanton departement provincia stato regione provincie estado lan wojewodztwo 都道府県',
  postalCode: 'postalcode zip zipcode postcode plz postleitzahl codepostal codigopostal cap postnummer kodpocztowy 郵便番号',
  country: 'country land pays pais paese nazione kraj 国',
  website: 'website web homepage url webseite internetseite siteweb siteinternet sitioweb paginaweb sito sitoweb webbplats',
  birthDate:
    'birthdate birthday dateofbirth dob born geburtsdatum geburtstag geboren datedenaissance naissance fechadenacimiento nacimiento datadinascita geboortedatum datadenascimento fodelsedatum dataurodzenia 生年月日',
  gender: 'gender sex geschlecht genre sexe genero sexo genere sesso geslacht kon plec 性別',
  deceasedOn:
    'deceasedon dateofdeath died deathdate verstorbenam sterbedatum todesdatum datededeces fechadefallecimiento datadimorte overlijdensdatum',
  note: 'note notes officenote officenotes comment comments remark remarks bemerkung bemerkungen notiz notizen anmerkung remarque remarques commentaire nota notas observaciones note2 opmerking opmerkingen 備考',
  lifecycle: 'status memberstatus lifecycle state2 membershipstatus mitgliedsstatus statut estado2 stato2',
  joinedOn:
    'joinedon joined joindate datejoined dateofjoining entrydate eintritt eintrittsdatum eintrittam beitritt beitrittsdatum datedadhesion dateadhesion fechadeingreso fechadealta datadiscrizione lidsinds datadeadesao intradesdatum 入会日',
  gradYear: 'gradyear graduationyear classyear classof yearofgraduation abschlussjahr promotion annedepromotion anodegraduacion',
  employer:
    'employer company organisation organization companyname arbeitgeber firma unternehmen employeur entreprise societe empresa azienda datoredilavoro werkgever bedrijf 会社',
  jobTitle: 'jobtitle job profession occupation beruf berufsbezeichnung metier poste profesion puesto professione beroep functie 職業',
  bio: 'bio biography about biografie biographie biografia',
  language: 'language preferredlanguage locale sprache korrespondenzsprache langue idioma lingua taal sprak jezyk 言語',
  doNotContact: 'donotcontact nocontact donotemail optout unsubscribed keinkontakt nepascontacter nocontactar',
  chapterCode:
    'chaptercode chapter chapterid chaptername branch branchcode section sectioncode localgroup club clubcode unit verband ortsgruppe ortsverein sektion abteilung verein kreisverband sectionlocale antenne capitulo seccion sezione afdeling lokalforening 支部',
  affiliationKind:
    'affiliationkind affiliation membertype membershiptype membertypes mitgliedsart mitgliedschaft typedadhesion typemembre tipodesocio tipodisocio lidmaatschap',
  memberSince:
    'membersince since memberfrom membershipstart startdate startson mitgliedseit seit membredepuis adherentdepuis miembrodesde sociodesde sociodal lidsinds2 medlemsedan',
  memberUntil:
    'memberuntil until membershipend enddate endson expires expirydate austritt austrittsdatum mitgliedbis datedepart fechadebaja lidtot',
  tag: 'tag tags label labels keyword keywords category categories party chamber schlagwort schlagworte kategorie etikett etiquette etiquettes motscles categorie etiqueta etiquetas categoria etichetta タグ',
}

/** Of chapters and groups a category is what they are, so that only words for tags say that. */
const tag =
  'tag tags label labels keyword keywords schlagwort schlagworte etikett etiquette etiquettes motscles etiqueta etiquetas etichetta タグ'

/** Ids of other systems; a header such as "CiviCRM id" or "External id (civicrm)" names the system. */
const externalId =
  'externalid externalcode externalreference externalkey foreignid foreignkey externeid externenummer identifiantexterne idexterno'

const place = {
  code: 'code id key number no shortname abbreviation chaptercode groupcode kurzel kuerzel kennung nummer identifiant codigo codice',
  name: 'name title chaptername groupname bezeichnung titel nom nombre nome naam namn nazwa 名称',
  parentCode:
    'parentcode parent parentid parentchapter parentgroup belongsto above upper ubergeordnet uebergeordnet elternteil oberverband codeparent parentecode padre codigopadre codicepadre',
}

/** What says which person a row of another kind means. */
const reference = {
  memberNo: person.memberNo,
  email: person.email,
  externalId,
  fullName: person.fullName,
  givenName: person.givenName,
  familyName: person.familyName,
  birthDate: person.birthDate,
}

/** What says which of two people a column means: "big", "parent member no", "guardian email". */
const pair = (side: 'from' | 'to', words: string): Record<string, string> => {
  const each = (...ends: string[]) => [side, ...words.split(' ')].flatMap((word) => ends.map((end) => word + end)).join(' ')
  return {
    [`${side}RecordId`]: each('recordid', 'personrecordid'),
    [`${side}MemberNo`]: each('memberno', 'membernumber', 'memberid', 'no', 'number', 'id', 'nr', ''),
    [`${side}Email`]: each('email', 'emailaddress', 'mail'),
    [`${side}ExternalId`]: each('externalid', 'foreignid', 'foreignkey'),
    [`${side}Name`]: each('name', 'fullname'),
  }
}

export const synonyms: Record<ImportKind, Record<string, string>> = {
  people: { ...person, externalId, externalIds: 'externalids' },
  chapters: {
    ...place,
    level: 'level type kind ebene stufe niveau nivel livello',
    status: 'status state statut estado stato',
    about: 'about description beschreibung uber description2 descripcion descrizione',
    city: person.city,
    contactEmail: person.email + ' contactemail contact kontakt',
    website: person.website,
    timezone: 'timezone tz zeitzone fuseauhoraire zonahoraria',
    charteredOn: 'charteredon chartered founded foundedon established gegrundet gruendung fondele fundado fondato',
    closedOn: 'closedon closed dissolved aufgelost dissousle',
    tag,
  },
  positions: {
    ...reference,
    memberNo: person.memberNo + ' holder officer',
    title: 'title position office role positiontitle amt funktion position2 poste fonction cargo carica functie titel',
    chapterCode: person.chapterCode,
    startsOn: 'startson start startdate from begin termstart since beginn von ab debut inicio inizio begin2 van',
    endsOn: 'endson end enddate to until termend ende bis fin fine einde tot',
    note: person.note + ' how reason manner',
  },
  groups: {
    ...place,
    kind: 'kind type grouptype art typ genre2 tipo soort',
    chapterCode: 'chaptercode chapter branch verband section',
    description: 'description about purpose jurisdiction beschreibung zweck descripcion descrizione omschrijving',
    visibility: 'visibility sichtbarkeit visibilite visibilidad',
    joinPolicy: 'joinpolicy joining join beitrittsart adhesion',
    capacity: 'capacity maxmembers size kapazitat capacite capacidad',
    phone: person.phone,
    website: person.website,
    tag,
  },
  group_members: {
    groupCode: 'groupcode group groupid committee committeecode team gruppe gruppencode gremium ausschuss groupe comite grupo gruppo groep',
    ...reference,
    title: 'title position office function funktion amt poste cargo carica titel',
    role: 'role rights grouprole rolle',
    side: 'side party2 faction bench seite fraktion cote lado',
    rank: 'rank order seniority rang reihenfolge rang2 orden',
    startsOn: 'startson start startdate from since joined beginn von ab debut inicio inizio',
    endsOn: 'endson end enddate to until left ende bis fin fine',
  },
  memberships: {
    ...reference,
    membershipType:
      'membershiptype typeofmembership membertype type membershiplevel level membershipplan plan product mitgliedsart mitgliedschaft beitragsart typedadhesion tipodesocio tipodisocio lidmaatschap',
    chapterCode: person.chapterCode,
    startsOn:
      'startson start startdate from termstart termbegin membershipstart validfrom periodstart beginn von ab gultigab mitgliedschaftab debut inicio inizio van',
    endsOn:
      'endson end enddate to until termend membershipend validuntil validto periodend expires expirydate expirationdate renewaldate ende bis gultigbis fin fine einde tot',
    membershipStatus: 'membershipstatus status memberstatus statusofmembership mitgliedsstatus statut estado stato',
    price:
      'price amount fee dues paid amountpaid pricepaid membershipfee total preis betrag beitrag bezahlt montant prix cotisation importe cuota importo quota bedrag',
    currency: 'currency currencycode wahrung waehrung devise moneda valuta',
    paidOn:
      'paidon paid2 paiddate datepaid paymentdate lastpayment bezahltam zahlungsdatum payele datedepaiement fechadepago datapagamento betaaldatum',
    joinedOn: person.joinedOn + ' membersince',
    autoRenew: 'autorenew autorenewal renewsautomatically recurring automaticrenewal autoverlangerung automatischeverlangerung',
  },
  invoices: {
    ...reference,
    memberNo: person.memberNo.replace(' number ', ' ').replace(' nummer nr ', ' '),
    debtorChapter: 'debtorchapter billedchapter chapterbilled customerchapter billtochapter',
    number:
      'number invoicenumber invoiceno invoice invoiceid documentnumber docnumber rechnungsnummer rechnungsnr rechnung belegnummer numerodefacture facture numerofactura factura numerofattura fattura factuurnummer',
    issuedOn:
      'issuedon issued issuedate invoicedate date rechnungsdatum datum datedefacture datefacture fechafactura datafattura factuurdatum',
    dueOn: 'dueon due duedate payby faelligam falligam faelligkeit falligkeit echeance vencimiento scadenza vervaldatum',
    text: 'text description memo subject item for betreff beschreibung objet concepto oggetto omschrijving',
    lines: 'lines items lineitems positionen lignes lineas righe',
    total:
      'total amount totalamount invoicetotal gross summe betrag gesamtbetrag brutto montant montanttotal importe importo totaal bedrag',
    currency: 'currency currencycode wahrung waehrung devise moneda valuta',
    paidAmount: 'paidamount amountpaid paid bezahlt gezahlt montantpaye pagado pagato betaald',
    paidOn: 'paidon paiddate datepaid paymentdate bezahltam zahlungsdatum payele datedepaiement fechadepago datapagamento betaaldatum',
    method: 'method paymentmethod paymenttype paidby zahlungsart zahlungsweise modedepaiement formadepago metododipagamento betaalwijze',
    note: person.note,
  },
  registrations: {
    ...reference,
    eventId: 'eventid eventrecordid eventno eventnumber veranstaltungsid veranstaltungsnummer',
    eventTitle: 'eventtitle event eventname title veranstaltung veranstaltungstitel evenement titre evento titulo titolo evenementnaam',
    eventStartsOn:
      'eventstartson eventstartsat eventdate eventday eventstart eventstartdate startson startdate startsat date datum veranstaltungsdatum datedelevenement fecha data',
    ticketType: 'tickettype ticket ticketname tickets tickettier karte kartenart ticketart billet entrada biglietto',
    registrationStatus:
      'registrationstatus status attendance attendeestatus rsvp rsvpstatus response state anmeldestatus teilnahme teilnahmestatus statut estado stato',
    registeredOn:
      'registeredon registeredat registrationdate dateregistered registered orderdate bookedon bookingdate angemeldetam anmeldedatum anmeldung dateinscription fechainscripcion dataiscrizione',
    checkedInAt:
      'checkedinat checkedin checkin checkintime checkindate checkinat scannedat arrivedat arrival eingechecktum einlass ankunft',
  },
  gifts: {
    ...reference,
    // A number or id of its own is the gift's.
    memberNo:
      person.memberNo.replace(' id ', ' ').replace(' number ', ' ').replace(' nummer nr ', ' ') +
      ' donorno donornumber donorid constituentid',
    externalId: externalId.replace(' foreignid foreignkey', ''),
    giftRecordId: 'giftrecordid',
    foreignId:
      'foreignid giftid giftno giftnumber donationid donationno donationnumber transactionid transactionno transactionnumber contributionid id number no spendennummer spendenid buchungsnummer vorgangsnummer nummer nr numerodedon iddon numerodonacion iddonacion',
    donorName:
      'donorname donor donororganisation donororganization giver organisation organization organisationname organizationname company companyname spender spendername firma donateur donateurs donante donatore organisme empresa azienda',
    amount:
      'amount giftamount donationamount total totalamount sum value betrag spendenbetrag summe spende montant montantdudon don importe donacion importo donazione bedrag',
    currency: 'currency currencycode wahrung waehrung devise moneda valuta',
    receivedOn:
      'receivedon received date giftdate dateofgift donationdate donatedon paidon paymentdate day datum spendendatum eingegangenam eingang zahlungsdatum dateofdonation datedudon fecha fechadonacion datadonazione',
    method:
      'method paymentmethod paymenttype paidby tender zahlungsart zahlungsweise modedepaiement formadepago metododipagamento betaalwijze',
    campaign: 'campaign campaignname appeal appealname kampagne aktion spendenaktion campagne campana campagna',
    fund: 'fund fundname funds designation designatedto purpose allocation zweck verwendungszweck spendenzweck fonds fondo destination affectation',
    reference:
      'reference paymentreference chequenumber chequeno checknumber checkno transferreference referenz  schecknummer numerodecheque',
    isAnonymous: 'isanonymous anonymous anonym anonyme anonimo',
    tributeKind: 'tributekind tribute tributetype typeoftribute',
    tributeName:
      'tributename inhonourof inhonorof inmemoryof inmemoriam honouree honoree tributee zuehrenvon imgedenkenan alamemoirede enmemoriade',
    message: 'message donormessage comment comments words nachricht botschaft mensaje messaggio',
    note: person.note.replace(' comment comments', ''),
  },
  relationships: {
    relationshipRecordId: 'relationshiprecordid',
    relationshipType:
      'relationshiptype typeofrelationship relationship relation type typekey kind beziehung beziehungsart art relationtype typederelation tipoderelacion tiporelazione',
    ...pair('from', 'first parent guardian big mentor recruiter source'),
    ...pair('to', 'second child little mentee recruit target'),
    startsOn: 'startson start startdate firstday from2 since date begin beginn ab seit debut inicio inizio van',
    endsOn: 'endson end enddate lastday until ende bis fin fine einde',
    relationshipState: 'relationshipstate state status statut estado stato',
    note: person.note,
  },
}

/** Systems whose ids people may have; a header that says so is an external id. "Legacy id" names none, and yet another one than ours. */
export const externalSystems = new Set(
  'legacy civicrm salesforce hubspot mailchimp wildapricot raisersedge neoncrm nationbuilder actionnetwork everyaction bloomerang donorperfect stripe paypal sap dynamics zoho odoo'.split(
    ' ',
  ),
)

/** Services whose handle or address a person may have; a header that names one is a link. */
export const linkServices = new Set(
  'twitter x facebook youtube instagram linkedin tiktok mastodon bluesky threads github gitlab telegram whatsapp signal skype discord xing pinterest snapchat flickr vimeo medium substack orcid wikipedia wikidata researchgate goodreads strava'.split(
    ' ',
  ),
)
