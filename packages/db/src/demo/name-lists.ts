/**
 * Given and family names by where a person comes from. `plain` ones are written with the letters of English;
 * `marked` ones carry accents or stand in their own script. Families also grow from stems and endings, so that a million people
 * do not share a few hundred names.
 */
export type NameList = { women: readonly string[]; men: readonly string[]; families: readonly string[] }
export type Culture = {
  plain: NameList
  marked: NameList
  stems?: readonly string[]
  endings?: readonly string[]
  /** Two families, one of each parent. */
  double?: true
  /** Two parts that make a given name. */
  givenParts?: readonly (readonly string[])[]
}

const words = (text: string) => text.split(/\s+/).filter(Boolean)
const lines = (text: string) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter(Boolean)
const list = (women: string, men: string, families: string): NameList => ({
  women: words(women),
  men: words(men),
  families: lines(families),
})

export const cultures = {
  english: {
    plain: list(
      'Alice Amelia Beatrice Charlotte Daisy Eleanor Emily Florence Grace Hannah Harriet Imogen Isla Jane Joan Katherine Lucy Margaret Mary Nora Olivia Phoebe Rose Sarah Susan Victoria Winifred Elizabeth Rebecca Jennifer',
      'Adam Albert Andrew Arthur Benjamin Charles Daniel David Edward Frank George Harry Henry Hugh Jack James John Joseph Leo Michael Nathan Oliver Owen Peter Richard Robert Samuel Simon Thomas William',
      "Adams, Baker, Bennett, Brown, Campbell, Carter, Clarke, Cooper, Davies, Doyle, Edwards, Evans, Fletcher, Gallagher, Green, Hall, Harris, Hughes, Jackson, Kelly, King, Lewis, MacDonald, Moore, Murphy, O'Brien, O'Connor, O'Sullivan, Parker, Phillips, Reid, Roberts, Robinson, Shaw, Smith, Taylor, Turner, Walker, Walsh, Ward, Wilson, Wright, Young, D'Arcy, Fitz-Hugh, Smith-Jones, Ellis-Grey",
    ),
    marked: list(
      'Zoë Chloë Siân Róisín Órla Áine Sinéad',
      'Seán Séamus Pádraig Tomás Rónán Eóin',
      'Ó Briain, Ní Dhomhnaill, Ó Súilleabháin, Mac Giolla Phádraig, Brontë, Ó Néill',
    ),
    stems: words(
      'Ash Black Brad Brook Clay Dal East Fair Gold Har Haw Hol Kings Lang Lyn Mar Nor Oak Pem Rad Rown Ruth Shel Stan Thorn Wake West Whit Win Wood',
    ),
    endings: words('ford ton ley well wood worth field ham by more'),
  },
  nordic: {
    plain: list(
      'Anna Astrid Birgit Clara Ebba Elin Emma Freja Frida Greta Hanna Helena Ida Inga Ingrid Johanna Karin Kristin Lena Linnea Liv Maja Maria Marit Matilda Nina Petra Sigrid Signe Sofia',
      'Anders Arvid Axel Bengt Carl Einar Emil Erik Filip Gustav Hans Henrik Henning Ivar Jens Johan Jonas Karl Kristian Lars Magnus Mats Mikkel Nils Ola Oskar Per Rasmus Sven Viktor',
      'Andersson, Aalto, Bakken, Berg, Bergstrom, Carlsen, Dahl, Eriksen, Haugen, Hansen, Heikkinen, Holm, Jensen, Johansson, Karlsson, Koskinen, Laine, Larsen, Lie, Lund, Madsen, Moen, Nielsen, Nilsson, Olsen, Pedersen, Persson, Rasmussen, Salonen, Strand, Svensson, Virtanen',
    ),
    marked: list(
      'Åsa Märta Kajsa-Märta Åse Sólveig Pirkko-Päivi Bodil-Sørine Jórunn',
      'Björn Håkan Göran Søren Jørgen Åke Þór Øyvind',
      'Åkesson, Sjöberg, Björklund, Öberg, Sørensen, Ødegård, Hämäläinen, Mäkinen, Þórsson, Nygård, Söderström, Ångström',
    ),
    stems: words(
      'Al Berg Dahl Ek Elm Fors Gran Hag Hall Hed Holm Kling Lager Lind Lund Malm Nord Palm Rosen Sand Sten Strand Sund Vall Vester Wik Alm Ceder Hellman Ros',
    ),
    endings: words('berg gren qvist lund man dahl mark stedt feldt borg'),
  },
  german: {
    plain: list(
      'Anja Annika Barbara Carla Charlotte Christa Claudia Elke Eva Franziska Gisela Hanna Heike Helga Johanna Julia Karoline Katharina Lea Lena Lotte Marlene Mathilde Monika Paula Petra Sabine Susanne Theresa Ursula',
      'Andreas Anton Bernd Christian Dieter Emil Felix Florian Friedrich Georg Hannes Heinrich Jakob Jan Johann Jonas Karl Klaus Konrad Lukas Markus Martin Matthias Max Moritz Paul Rainer Sebastian Stefan Wolfgang',
      'Bauer, Becker, Beck, Braun, Fischer, Frank, Graf, Hofmann, Huber, Keller, Klein, Koch, Krause, Lang, Lehmann, Maier, Meyer, Neumann, Richter, Roth, Schmidt, Schneider, Scholz, Schulz, Schwarz, Vogel, Wagner, Weber, Werner, Wolf, Zimmermann, von Arnim',
    ),
    marked: list(
      'Jördis Käthe Bärbel Rosmarie-Änne',
      'Jürgen Günther Jörg Götz',
      'Müller, Schäfer, Köhler, Krüger, Böhm, Größmann, Weiß, Jäger, Bär, Hölderlin, Zürcher, Käslin',
    ),
    stems: words(
      'Acker Berg Blum Brand Burk Eber Eich Feld Fried Gold Grun Hart Hasel Hoff Kalt Kauf Kirch Lang Lehn Linden Morgen Neu Ober Reich Rosen Schwarz Stein Wald Wein Winter',
    ),
    endings: words('bach berger mann hardt heim hofer stein meyer felder hauser'),
  },
  dutch: {
    plain: list(
      'Anke Annelies Eline Femke Fleur Hanneke Ilse Jolijn Kim Lieke Lotte Marijke Marloes Noor Roos Sanne Saskia Tess Wilma Yvonne',
      'Bart Bas Daan Dirk Gerrit Hendrik Jan Jeroen Joost Koen Lars Maarten Niels Pieter Rik Ruben Sander Thijs Tim Wouter',
      "Bakker, Bos, de Boer, de Groot, de Jong, de Vries, Dekker, Hendriks, Jansen, Kuiper, Mulder, Peters, Smit, van Dijk, van den Berg, van der Meer, van 't Hoff, Visser, Vos, Willems",
    ),
    marked: list('Zoë Noëlle Daniëlle', 'Daniël Jozuë Raphaël', 'Çelik, Coëlho, Weïnans, van Citroën'),
    stems: words(
      'Acht Broek Dale Eike Groene Hage Heide Kamper Klooster Lange Meer Molen Noorder Ooster Roode Schoon Vaart Velde Water Wester',
    ),
    endings: words('boom burg dijk huis kamp man veld veen steeg meijer'),
  },
  french: {
    plain: list(
      'Adele Agathe Alice Camille Cecile Claire Clara Colette Delphine Elise Emma Estelle Ines Jeanne Julie Juliette Laure Louise Lucie Manon Margaux Marie Mathilde Nathalie Pauline Sophie Sylvie Valentine Anne-Marie Marie-Claire',
      'Alain Antoine Arnaud Bruno Camille Charles Denis Didier Emile Etienne Fabien Gabriel Guillaume Henri Hugo Julien Laurent Louis Luc Marcel Martin Mathieu Olivier Pascal Paul Philippe Pierre Thierry Victor Jean-Paul',
      "Bernard, Bertrand, Blanc, Bonnet, Chevalier, David, de La Tour, D'Angelo, Dubois, Dupont, Durand, Fontaine, Fournier, Garnier, Girard, Lambert, Laurent, Leclerc, Lefort, Martin, Mercier, Moreau, Morel, N'Diaye, Petit, Renard, Richard, Robert, Rousseau, Roux, Simon, Vincent",
    ),
    marked: list(
      'Hélène Zoé Aurélie Mélanie Éléonore Thérèse',
      'François André Jérôme Rémi Benoît Loïc',
      'Lefèvre, Gérard, Prévost, Hébert, Bénard, Éluard, Crémieux, Lévêque',
    ),
    stems: words('Beau Bel Bois Brun Champ Chat Clair Cour Dar Fon Gran Lam Mar Mont Par Roch Rou Val Ver Vil'),
    endings: words('champ mont neuve ville tier rand lier geon court dier'),
  },
  spanish: {
    plain: list(
      'Alba Alicia Ana Beatriz Camila Carmen Carolina Clara Cristina Daniela Elena Eva Gabriela Isabel Julia Laura Luisa Marina Marta Natalia Nuria Paula Pilar Raquel Rosa Sara Silvia Sofia Teresa Valeria',
      'Adrian Alberto Alejandro Andres Antonio Carlos Daniel David Diego Eduardo Emilio Enrique Felipe Fernando Francisco Gabriel Hugo Javier Jorge Juan Luis Manuel Mario Mateo Miguel Pablo Pedro Rafael Santiago Sergio',
      'Alonso, Blanco, Castillo, Castro, Cruz, de la Cruz, Delgado, Diaz, Dominguez, Flores, Garcia, Gil, Gomez, Herrera, Iglesias, Leon, Lopez, Marin, Molina, Moreno, Navarro, Ortega, Ortiz, Perez, Ramos, Reyes, Rivera, Romero, Rubio, Ruiz, Serrano, Soto, Torres, Vargas, Vega, Vidal',
    ),
    marked: list(
      'Begoña Concepción Inés Lucía María-José Ángela',
      'Álvaro Andrés Íñigo Joaquín José Tomás',
      'Muñoz, Núñez, Peña, Ibáñez, Gutiérrez, Martínez, Sánchez, Vélez, Güell, Castañeda',
    ),
    double: true,
  },
  portuguese: {
    plain: list(
      'Alice Ana Beatriz Bruna Camila Carolina Catarina Clara Fernanda Filipa Gabriela Helena Isabel Joana Juliana Larissa Leonor Mariana Marta Rita Rosa Sara Sofia Teresa',
      'Afonso Andre Bruno Caio Carlos Diogo Duarte Eduardo Felipe Francisco Gustavo Henrique Hugo Joaquim Luis Marcelo Mateus Miguel Nuno Paulo Pedro Rafael Ricardo Tiago',
      'Almeida, Barbosa, Barros, Batista, Campos, Cardoso, Carvalho, Correia, Costa, da Silva, dos Santos, Duarte, Ferreira, Freitas, Gomes, Lima, Lopes, Machado, Martins, Melo, Mendes, Monteiro, Moreira, Nunes, Oliveira, Pereira, Pinto, Ramos, Ribeiro, Rocha, Santos, Silva, Sousa, Teixeira, Vieira',
    ),
    marked: list(
      'Inês Conceição Íris Lúcia',
      'João António Estêvão Sebastião',
      'Araújo, Conceição, Guimarães, Magalhães, Simões, Falcão, Assunção, Damásio',
    ),
    double: true,
  },
  italian: {
    plain: list(
      'Alessandra Alice Anna Aurora Bianca Chiara Claudia Elena Elisa Federica Francesca Giada Giorgia Giulia Ilaria Laura Lucia Martina Paola Serena Silvia Sofia Valentina Vittoria',
      'Alessandro Andrea Antonio Carlo Claudio Davide Emanuele Enrico Fabio Federico Filippo Francesco Gabriele Giacomo Giovanni Giuseppe Lorenzo Luca Marco Matteo Paolo Pietro Riccardo Stefano',
      "Barbieri, Bianchi, Bruno, Caruso, Colombo, Conti, Costa, D'Amico, De Luca, Esposito, Ferrari, Fontana, Gallo, Greco, Lombardi, Mancini, Marino, Moretti, Ricci, Rizzo, Romano, Rossi, Russo, Santoro",
    ),
    marked: list('Niccolò-Maria Mercè', 'Niccolò Totò', 'Cantù, Nicolò, Forlì, Viganò, Salò'),
    stems: words('Bel Bian Bru Cal Cas Col Fal Fer Gal Lom Mar Mon Mor Pal Par Pel Ros San Sil Val Ven Vit'),
    endings: words('lini chetti netti telli ardi azzi etti ucci ano eschi'),
  },
  slavic: {
    plain: list(
      'Agata Alena Anna Barbora Dominika Dorota Eliska Ewa Hana Ivana Jana Joanna Julia Kamila Katarina Klara Lenka Lucie Magda Marta Monika Natalia Petra Tereza',
      'Adam Andrzej Bartosz David Emil Filip Igor Jakub Jan Josef Karel Krzysztof Marek Martin Michal Milan Miroslav Ondrej Pavel Petr Piotr Stanislav Tomas Vojtech',
      'Benes, Blaha, Bartos, Cerny, Dolezal, Fiala, Hajek, Horak, Jankowski, Kaminski, Kovac, Kowalski, Kral, Krejci, Kucera, Mazur, Nemec, Novak, Nowak, Pokorny, Polak, Prochazka, Sedlak, Svoboda, Urban, Vesely, Wojcik, Zeman',
    ),
    marked: list(
      'Zdeňka Růžena Żaneta Božena Šárka',
      'Jiří Łukasz Čeněk Ondřej Paweł-Łucjan',
      'Dvořák, Říha, Šťastný, Wiśniewski, Zając, Wójcik, Černý, Łukasiewicz, Petrović, Kovačević',
    ),
    stems: words('Bar Dvor Havl Jabl Jan Kov Koz Krat Mal Mach Nov Petr Pol Prok Ryb Sokol Svob Vor Vrb Zim'),
    endings: words('ak ek ski owski owicz enko in ansky ica an'),
  },
  greek: {
    plain: list(
      'Aikaterini Anastasia Anna Chrysoula Despina Dimitra Eleni Evangelia Foteini Georgia Ioanna Katerina Maria Sofia Vasiliki Zoe',
      'Alexandros Andreas Antonis Christos Dimitris Evangelos Georgios Giannis Ioannis Kostas Manolis Michalis Nikos Panagiotis Spyros Stavros',
      'Alexiou, Christou, Economou, Georgiou, Ioannou, Karras, Katsaros, Makris, Nikolaou, Pappas, Stavrou, Vasiliou, Vlachos, Xenakis',
    ),
    marked: list(
      'Ελένη Μαρία Κατερίνα Σοφία Αναστασία Ζωή',
      'Γιώργος Νίκος Δημήτρης Κώστας Γιάννης Ανδρέας',
      'Παπαδόπουλος, Οικονόμου, Νικολάου, Γεωργίου, Βλάχος, Αλεξίου, Δημητρίου, Καραγιάννης',
    ),
    stems: words('Papa Kara Hatzi Nikol Dimitr Georg Konstant Theod Anton Alex Stavr Michal Pan Vasil'),
    endings: words('akis opoulos idis iadis atos elis oudis akos'),
  },
  hebrew: {
    plain: list(
      'Adi Ayelet Dana Hila Keren Leah Maya Michal Miriam Noa Rivka Sarit Shira Tamar Yael Yardena',
      'Amir Ariel Asaf Avi Daniel Eitan Gil Itai Noam Omer Oren Ron Shai Tomer Uri Yonatan',
      'Avraham, Azulay, Bar-Lev, Ben-David, Ben-Haim, Biton, Cohen, Dahan, Gabay, Katz, Levi, Malka, Mizrahi, Ohana, Peretz, Shapira',
    ),
    marked: list('נועה תמר מיכל יעל שירה רבקה', 'אורי איתן דניאל יונתן נועם עומר', 'כהן, לוי, מזרחי, פרץ, ביטון, אברהם, בן־דוד, שפירא'),
    stems: words('Blum Fein Fried Gold Green Grun Hirsch Kauf Licht Rosen Roth Silber Stern Wein Zucker'),
    endings: words('berg man stein feld baum blatt thal'),
  },
  arabic: {
    plain: list(
      'Aisha Amal Amina Dalia Dina Fatima Hala Hanan Huda Layla Lina Mariam Mona Nadia Noor Rania Reem Salma Samira Yasmin',
      'Adel Ahmad Ali Amir Bilal Farid Hassan Hisham Ibrahim Jamal Karim Khaled Mahmoud Mustafa Nabil Omar Rami Sami Tarek Youssef',
      'Abdallah, al-Amin, al-Masri, al-Rashid, Awad, Aziz, Darwish, Fahmy, Farouk, Haddad, Hakim, Hamdan, Hijazi, Ismail, Khalil, Khoury, Mansour, Masri, Najjar, Nasser, Qasim, Saad, Sabbagh, Saleh, Salem, Sharif, Zaki, Zidan',
    ),
    marked: list('فاطمة ليلى مريم نور سلمى أمينة', 'محمد أحمد يوسف كريم عمر خالد', 'حداد, المصري, خوري, نجار, الرشيد, منصور, صالح, درويش'),
    double: true,
  },
  african: {
    plain: list(
      'Abeni Achieng Adaeze Akinyi Amara Atieno Chiamaka Chidinma Funmi Halima Ifeoma Imani Kemi Makena Ngozi Njeri Nkechi Sade Wambui Wanjiku Yetunde Zainab',
      'Abiodun Adewale Babatunde Chinedu Chukwuemeka Ekene Emeka Femi Ifeanyi Juma Kamau Kelechi Kofi Kwame Mwangi Njoroge Obinna Ochieng Olumide Otieno Segun Tunde',
      'Abubakar, Achebe, Adebayo, Adeyemi, Afolabi, Akande, Balogun, Chukwu, Danjuma, Eze, Githinji, Igwe, Kamau, Karanja, Kariuki, Kimani, Kipchoge, Maina, Mbeki, Mutua, Mwangi, Ndlovu, Nwosu, Obi, Odhiambo, Okafor, Okeke, Okonkwo, Oladipo, Onyango, Otieno, Wairimu',
    ),
    marked: list('Bọ́lá Yétúndé Ẹ̀bùn Títílayọ̀', 'Adéwálé Ọlá Túndé Ṣẹ́gun', 'Adébáyọ̀, Ọlátúnjí, Ògúnlẹ́yẹ, Ẹzẹ, Ṣóyínká, Ọkọ̀njọ'),
    stems: words('Ade Aki Ayo Baba Ola Olu Oni Ogun Oye Temi Nwa Oko Eze Uche Obi Ike'),
    endings: words('bola dele kunle femi ola tayo niyi wole seun yinka'),
  },
  japanese: {
    plain: list(
      'Akari Akiko Aoi Asuka Emi Hana Haruka Keiko Mai Mariko Mei Misaki Naoko Rei Sakura Yuki',
      'Akira Daichi Daiki Haruto Hiroshi Kenji Kenta Makoto Naoki Ren Ryo Satoshi Shin Takashi Takumi Yuto',
      'Abe, Endo, Goto, Hayashi, Ito, Kato, Kimura, Kondo, Saito, Sasaki, Sato, Suzuki, Tanaka, Ueda, Watanabe, Yoshida',
    ),
    marked: list('花子 美咲 陽菜 さくら 結衣 千夏', '太郎 健太 大輔 翔太 蓮 直樹', '佐藤, 鈴木, 高橋, 田中, 渡辺, 伊藤, 山本, 中村'),
    stems: words('Yama Taka Naka Mori Kawa Fuji Mura Matsu Ishi Oka Hara Koba Shima Kita Nishi Hashi'),
    endings: words('moto da mura zaki guchi shita no gawa ta hara'),
  },
  chinese: {
    plain: list(
      'Fang Hui Jing Lan Ling Mei Min Na Ping Qing Xiu Yan Ying Yun',
      'Bin Bo Chao Feng Gang Hao Jian Jun Lei Peng Qiang Tao Wei Yong',
      'Cai, Chan, Chen, Cheng, Deng, Feng, Gao, Guo, He, Hsu, Hu, Huang, Li, Liang, Lim, Lin, Liu, Luo, Ma, Ng, Pan, Sun, Tan, Tang, Tsai, Wang, Wong, Wu, Xie, Xu, Yang, Ye, Zhang, Zhao, Zheng, Zhou',
    ),
    marked: list('美玲 淑芬 雅婷 晓燕 丽华 静怡', '志明 俊杰 建国 伟 家豪 浩然', '王, 李, 張, 陈, 林, 黄, 歐陽, 司馬'),
    givenParts: [
      words('Xiao Yi Jia Zi Ming Jing Wen Shu Li Hui Yu Jun Hao Guo'),
      words('-ling -wen -hua -jun -ming -yan -ting -qi -xuan -feng -na -rong'),
    ],
  },
  indian: {
    plain: list(
      'Aditi Ananya Anjali Deepa Divya Isha Kavita Lakshmi Meera Neha Nisha Pooja Priya Radha Riya Sanjana Shreya Sunita Tara Vidya',
      'Aditya Ajay Akash Amit Anil Arjun Arun Deepak Ganesh Karan Krishna Manoj Nikhil Rahul Raj Ravi Rohan Sanjay Suresh Vikram',
      'Agarwal, Bhat, Chatterjee, Chopra, Das, Desai, Dutta, Ghosh, Gupta, Iyer, Jain, Joshi, Kapoor, Khan, Krishnan, Kulkarni, Kumar, Malhotra, Mehta, Menon, Mukherjee, Nair, Patel, Pillai, Rao, Reddy, Roy, Sen, Shah, Sharma, Singh, Srinivasan, Subramanian, Verma',
    ),
    marked: list('प्रिया अनन्या मीरा सुनीता', 'अर्जुन राहुल विक्रम संजय', 'शर्मा, पटेल, गुप्ता, सिंह, अय्यर, मेहता'),
  },
  russian: {
    plain: list(
      'Alina Anastasia Daria Ekaterina Elena Irina Ksenia Larisa Ludmila Nadezhda Natalia Nina Olga Polina Svetlana Tatiana',
      'Aleksandr Aleksei Andrei Anton Boris Dmitri Fyodor Grigori Ivan Kirill Konstantin Maxim Mikhail Nikolai Oleg Sergei',
      'Bondarenko, Kovalenko, Kravchenko, Lysenko, Melnyk, Moroz, Shevchenko, Tkachenko, Zaytsev, Zhuk',
    ),
    marked: list(
      'Ольга Наталья Светлана Ирина Татьяна Оксана',
      'Иван Сергей Дмитрий Андрей Михаил Тарас',
      'Коваленко, Шевченко, Бондаренко, Мельник, Гончар, Кравченко, Бойко, Черненко',
    ),
    stems: words('Agap Bel Bogdan Gavril Gorbun Kuzn Makar Nikit Orl Pavl Rom Smirn Sokol Titar Vasil Zakhar'),
    endings: words('enko chenko chuk yuk ovych'),
  },
} satisfies Record<string, Culture>

export type CultureName = keyof typeof cultures

/** What friends call people of these names. */
export const nicknames: Readonly<Record<string, string>> = {
  Alexandros: 'Alex',
  Alejandro: 'Alex',
  Alessandro: 'Sandro',
  Aleksandr: 'Sasha',
  Andrew: 'Andy',
  Benjamin: 'Ben',
  Charlotte: 'Lotte',
  Daniel: 'Dan',
  Edward: 'Ted',
  Eleanor: 'Nell',
  Elizabeth: 'Liz',
  Emanuele: 'Manu',
  Francisco: 'Paco',
  Franziska: 'Franzi',
  Friedrich: 'Fritz',
  Gabriela: 'Gabi',
  Giuseppe: 'Beppe',
  Harriet: 'Hattie',
  Henry: 'Harry',
  Ioannis: 'Yannis',
  James: 'Jim',
  Jennifer: 'Jen',
  Johanna: 'Hanna',
  Joseph: 'Joe',
  Katharina: 'Kathi',
  Katherine: 'Kate',
  Konstantin: 'Kostya',
  Krzysztof: 'Krzysiek',
  Margaret: 'Maggie',
  Matthias: 'Matze',
  Mathilde: 'Tilda',
  Michael: 'Mike',
  Mikhail: 'Misha',
  Oliver: 'Ollie',
  Rebecca: 'Becky',
  Richard: 'Rick',
  Robert: 'Bob',
  Samuel: 'Sam',
  Sebastian: 'Basti',
  Susan: 'Sue',
  Susanne: 'Susi',
  Thomas: 'Tom',
  Victoria: 'Vicky',
  William: 'Bill',
  Winifred: 'Winnie',
}
