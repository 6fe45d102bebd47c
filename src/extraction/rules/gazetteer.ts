/**
 * Names that are known: written for this project from general knowledge, so under its licence. A `_` stands for a space
 * inside a name.
 */
const names = (list: string): ReadonlySet<string> =>
  new Set(
    list
      .trim()
      .split(/\s+/)
      .map((name) => name.replaceAll('_', ' ').toLowerCase()),
  )

export const FEMALE_NAMES = names(`
  Abigail Ada Adele Agnes Aisha Alba Alexandra Alexa Alice Alicia Alina Alison Alma Amanda Amber Amelia Amelie Amina
  Amy Ana Anastasia Andrea Angela Angelina Anita Anja Ann Anna Anne Annette Annie Annika Antonia April Ariana Astrid
  Audrey Aurora Ava Barbara Beatrice Becky Bella Beth Bethany Betty Bianca Birgit Bridget Brenda Britta Brooke
  Camila Camilla Carla Carmen Carol Caroline Carolina Carrie Catherine Cathy Cecilia Celia Charlotte Chiara Chloe
  Christina Christine Cindy Claire Clara Claudia Colleen Cora Crystal Cynthia Daisy Dana Daniela Danielle Daphne
  Debbie Deborah Delia Denise Diana Diane Dolores Donna Dora Doris Dorothy Edith Eileen Elaine Eleanor Elena Eliza
  Elizabeth Ella Ellen Ellie Elsa Emilia Emily Emma Erica Erika Erin Esther Eva Eve Evelyn Faith Farah Fatima
  Felicity Fiona Florence Frances Francesca Freya Frida Gabriela Gabriella Gemma Georgia Gina Giulia Gloria Grace
  Greta Hanna Hannah Harriet Hazel Heather Heidi Helen Helena Helga Holly Ida Ilse Imogen Ines Ingrid Irene Iris
  Isabel Isabella Isla Ivy Jacqueline Jane Janet Janice Jasmine Jean Jenna Jennifer Jenny Jessica Jill Jo Joan
  Joanna Josephine Joy Joyce Judith Judy Julia Juliana Julie Juliet Karen Karin Karla Katarina Kate Katherine
  Kathleen Kathryn Kathy Katie Katrin Kayla Kelly Kimberly Kirsten Kristen Kristin Laila Lara Laura Lauren Lea Leah
  Leila Lena Leonie Leslie Lily Lilian Linda Lisa Liz Lola Lorraine Louise Lucia Lucy Luisa Luna Lydia Mabel
  Madeleine Madison Maggie Maja Mandy Manuela Margaret Maria Mariana Marianne Marie Marina Marion Marlene Martha
  Martina Mary Matilda Maya Megan Mei Melanie Melissa Mercedes Meredith Mia Michelle Mila Miranda Miriam Molly
  Monica Monika Nadia Nadine Nancy Naomi Natalia Natalie Natasha Nell Nicole Nina Noa Nora Olga Olive Olivia Paige
  Pamela Patricia Paula Pauline Penelope Penny Petra Phoebe Polly Priya Rachel Rebecca Renata Rita Roberta Rosa
  Rosalind Rose Rosie Roxanne Ruby Ruth Sabine Sabrina Sally Samantha Sandra Sara Sarah Selma Serena Shannon Sharon
  Sheila Shirley Silvia Simone Sofia Sonia Sophia Sophie Stella Stephanie Sue Susan Susanna Susanne Suzanne Svetlana
  Sylvia Tamara Tania Tanja Tanya Tara Tatiana Teresa Tessa Theresa Tina Tracy Uma Ursula Valentina Valeria Valerie
  Vanessa Vera Veronica Victoria Viola Violet Virginia Vivian Wendy Yasmin Yolanda Yvonne Zara Zoe Zoey Kamala
  Angelica Mel`)
export const MALE_NAMES = names(`
  Aaron Abdul Abraham Adam Adrian Ahmed Alan Albert Alberto Aldo Alejandro Alessandro Alex Alexander Alfred Ali
  Allan Alvaro Amir Anders Andre Andreas Andrew Andy Angelo Anthony Anton Antonio Arjun Arnold Arthur Arturo Ashok
  Austin Axel Barry Bart Ben Benedict Benjamin Bernard Bernd Bernie Bill Billy Bjorn Bob Bobby Boris Brad Bradley
  Brandon Brendan Brett Brian Bruce Bruno Bryan Caleb Calvin Cameron Carl Carlos Casper Cedric Cesar Charles Charlie
  Chris Christian Christoph Christopher Clark Claude Clifford Clive Cody Colin Connor Craig Curtis Cyrus Damian Dan
  Daniel Danny Darren Dave David Dean Dennis Derek Diego Dieter Dirk Dmitri Dominic Donald Doug Douglas Duncan Dylan
  Earl Eddie Edgar Eduardo Edward Edwin Eli Elias Elijah Elliot Elon Emil Emmanuel Enrique Eric Erik Ernest Ethan
  Eugene Evan Felipe Felix Fernando Finn Francesco Francis Francisco Frank Frankie Franz Fred Freddie Frederick
  Friedrich Fritz Gabriel Gareth Gary Gavin Geoff George Gerald Gerard Gerhard Giovanni Giorgio Glenn Gordon Graham
  Grant Greg Gregory Guido Guillermo Gunther Gustav Guy Hans Harold Harry Harvey Hassan Hector Heinrich Heinz Henri
  Henrik Henry Herbert Herman Hiroshi Horst Howard Hubert Hugh Hugo Hussein Ian Ibrahim Igor Isaac Ivan Jack Jackson
  Jacob Jake Jakob James Jamie Jan Jared Jason Javier Jeff Jeffrey Jens Jeremy Jerome Jerry Jesse Jim Jimmy Joachim
  Joe Joel Johan Johannes John Johnny Jon Jonas Jonathan Jordan Jorge Jose Josef Joseph Josh Joshua Juan Julian
  Julio Julius Jurgen Justin Kai Karl Keith Ken Kenneth Kenny Kevin Khalid Klaus Kofi Konrad Kurt Kyle Lars Larry
  Laurence Lawrence Lee Leo Leon Leonard Leonardo Lewis Liam Lionel Logan Lorenzo Louis Luca Lucas Luigi Luis Lukas
  Luke Malcolm Manfred Manuel Marc Marcel Marco Marcus Mario Mark Markus Marshall Martin Marvin Mateo Mathias Matt
  Matteo Matthew Matthias Maurice Mauro Max Maximilian Michael Miguel Mike Mikhail Milan Miles Milo Mitch Mohamed
  Mohammed Moritz Mustafa Nate Nathan Nathaniel Neil Nelson Nicholas Nick Nicolas Niels Nigel Nikolai Nils Noah Noel
  Oleg Oliver Olaf Omar Oscar Oskar Otto Owen Pablo Paolo Pascal Patrick Paul Pedro Pete Peter Philip Philipp Phil
  Pierre Quentin Rafael Rainer Raj Rajesh Ralph Ramon Randy Raphael Raul Ray Raymond Reinhard Rene Ricardo Richard
  Rick Rob Robert Roberto Robin Rodney Rodrigo Roger Roland Rolf Roman Ron Ronald Rory Ross Roy Rudolf Rupert
  Russell Ryan Salman Sam Samir Samuel Sandro Santiago Scott Sean Sebastian Sergei Sergio Seth Shane Shaun Simon
  Stan Stanley Stefan Stephan Stephen Steve Steven Stewart Stuart Sven Tariq Ted Terry Theo Theodore Thomas Thorsten
  Tim Timothy Tobias Toby Todd Tom Tomas Tommy Tony Travis Trevor Tyler Ulrich Umberto Uwe Valentin Victor Viktor
  Vincent Vladimir Wade Wallace Walter Warren Wayne Werner Wilhelm Will William Willy Winston Wolfgang Xavier Yann
  Yusuf Yves Zachary Barack Joe Narendra`)
export const OTHER_FIRST_NAMES = names(`
  Ash Ashley Avery Bailey Blake Casey Charley Chase Dakota Dale Devon Drew Emerson Frankie Gale Hayden Jaden Jess
  Jody Kendall Kerry Kim Lindsay Lou Lynn Morgan Nicky Noor Pat Quinn Reese Riley Robbie Rowan Sage Sasha Sandy
  Skyler Stevie Sydney Taylor Toni Val Wei Yuki`)

export const PLACES = names(`
  Afghanistan Albania Algeria Andorra Angola Argentina Armenia Australia Austria Azerbaijan Bahamas Bahrain
  Bangladesh Barbados Belarus Belgium Belize Benin Bhutan Bolivia Bosnia Botswana Brazil Britain Brunei Bulgaria
  Burundi Cambodia Cameroon Canada Chile China Colombia Congo Costa_Rica Croatia Cuba Cyprus Czechia Denmark
  Dominican_Republic Ecuador Egypt El_Salvador England Eritrea Estonia Ethiopia Fiji Finland France Gabon Gambia
  Georgia Germany Ghana Greece Greenland Guatemala Guinea Guyana Haiti Honduras Hong_Kong Hungary Iceland India
  Indonesia Iran Iraq Ireland Israel Italy Ivory_Coast Jamaica Japan Jordan Kazakhstan Kenya Korea Kosovo Kuwait
  Laos Latvia Lebanon Liberia Libya Liechtenstein Lithuania Luxembourg Madagascar Malawi Malaysia Maldives Mali
  Malta Mauritius Mexico Moldova Monaco Mongolia Montenegro Morocco Mozambique Myanmar Namibia Nepal Netherlands
  New_Zealand Nicaragua Niger Nigeria Norway Oman Pakistan Palestine Panama Paraguay Peru Philippines Poland
  Portugal Puerto_Rico Qatar Romania Russia Rwanda Saudi_Arabia Scotland Senegal Serbia Singapore Slovakia Slovenia
  Somalia South_Africa South_Korea North_Korea Spain Sri_Lanka Sudan Sweden Switzerland Syria Taiwan Tajikistan
  Tanzania Thailand Tibet Togo Tunisia Turkey Uganda Ukraine Uruguay USA US U.S. U.S.A. UK U.K. UAE United_States
  United_Kingdom United_Arab_Emirates Uzbekistan Venezuela Vietnam Wales Yemen Zambia Zimbabwe Africa America
  Antarctica Asia Europe Oceania Scandinavia Siberia Balkans Caribbean Middle_East Latin_America North_America
  South_America Arctic Alps Andes Himalayas Pyrenees Rockies Sahara Mediterranean Atlantic Pacific Baltic Alabama
  Alaska Arizona Arkansas California Colorado Connecticut Delaware Florida Hawaii Idaho Illinois Indiana Iowa Kansas
  Kentucky Louisiana Maine Maryland Massachusetts Michigan Minnesota Mississippi Missouri Montana Nebraska Nevada
  New_Hampshire New_Jersey New_Mexico North_Carolina North_Dakota Ohio Oklahoma Oregon Pennsylvania Rhode_Island
  South_Carolina South_Dakota Tennessee Texas Utah Vermont Virginia West_Virginia Wisconsin Wyoming Ontario Quebec
  British_Columbia Alberta Queensland Tasmania Victoria Bavaria Saxony Tuscany Sicily Sardinia Andalusia Catalonia
  Provence Brittany Normandy Crete Corsica Bali Java Goa Kerala Punjab Cornwall Devon Yorkshire Kent Essex Sussex
  Aberdeen Abuja Accra Adelaide Alexandria Algiers Amsterdam Ankara Antwerp Asheville Athens Atlanta Auckland Austin
  Baghdad Baltimore Bandra Bangalore Bangkok Barcelona Basel Bath Beijing Beirut Belfast Belgrade Bergen Berkeley
  Berlin Bern Bilbao Birmingham Bogota Bologna Bombay Bonn Bordeaux Boston Boulder Bremen Brighton Brisbane Bristol
  Brooklyn Brussels Bucharest Budapest Buenos_Aires Buffalo Cairo Calcutta Calgary Cambridge Canberra Cape_Town
  Caracas Cardiff Casablanca Chennai Chicago Cincinnati Cleveland Cologne Columbus Copenhagen Cork Dakar Dallas
  Damascus Delhi Denver Detroit Dhaka Doha Dortmund Dresden Dubai Dublin Dubrovnik Durban Dusseldorf Düsseldorf
  Edinburgh Florence Frankfurt Freiburg Galway Gdansk Geneva Genoa Ghent Glasgow Gothenburg Granada Graz Grenoble
  Hamburg Hanoi Hanover Havana Heidelberg Helsinki Hiroshima Honolulu Houston Hyderabad Innsbruck Istanbul Jakarta
  Jerusalem Johannesburg Kabul Kampala Karachi Kathmandu Kiev Kyiv Kobe Kolkata Krakow Kraków Kuala_Lumpur Kyoto
  Lagos Lahore Las_Vegas Leeds Leicester Leipzig Lille Lima Linz Lisbon Liverpool Ljubljana London Los_Angeles
  Lucerne Lyon Madrid Malaga Málaga Malmö Manchester Manhattan Manila Marrakech Marseille Melbourne Memphis Miami
  Milan Milwaukee Minneapolis Minsk Montevideo Montpellier Montreal Moscow Mumbai Munich Nairobi Nantes Naples
  Nashville New_Delhi New_Orleans New_York New_York_City Newcastle Nice Nottingham Nuremberg Oakland Osaka Oslo
  Ottawa Oxford Palermo Paris Perth Philadelphia Phoenix Pisa Pittsburgh Portland Porto Prague Pretoria Princeton
  Pune Queens Quito Reykjavik Riga Rio_de_Janeiro Rome Rotterdam Salzburg San_Diego San_Francisco San_Jose Santiago
  Santa_Monica São_Paulo Sao_Paulo Sarajevo Seattle Seoul Seville Shanghai Sheffield Sofia Southampton Stockholm
  Strasbourg Stuttgart Sydney Taipei Tallinn Tampa Tehran Tel_Aviv Tokyo Toronto Toulouse Trieste Tripoli Tunis
  Turin Utrecht Valencia Vancouver Venice Verona Vienna Vilnius Warsaw Washington Wellington Winnipeg Wuhan York
  Zagreb Zurich Zürich Everest Kilimanjaro Thames Danube Rhine Seine Nile Ganges Bronx Harlem Soho Hollywood
  Silicon_Valley Bandra Kreuzberg Montmartre`)

export const ORGANISATIONS = names(`
  Adidas Airbnb Airbus Aldi Alibaba Amazon AMD Amnesty Anthropic Apple Audi Barclays BASF Bayer BBC BMW Boeing Bosch
  BP Burberry Carrefour Chanel Chevrolet Cisco Citibank CNN Coca-Cola Costco Daimler Dell Deloitte Disney eBay
  Ericsson Etsy Exxon Facebook Fiat FIFA Ford GitHub GitLab Google Greenpeace Gucci Harrods Harvard Heineken Hilton
  Honda HSBC Huawei Hyundai IBM Ikea Instagram Intel KLM Kia Lego Lenovo Lidl LinkedIn Lufthansa Marriott Mastercard
  Mazda McDonald's Mercedes Meta Microsoft Mitsubishi NASA Nato Nestlé Nestle Netflix Nike Nintendo Nissan Nokia
  Nvidia OpenAI Oracle Panasonic PayPal Pepsi Peugeot Pfizer Philips Pixar Porsche Qantas Reddit Reuters Renault
  Ryanair Salesforce Samsung SAP Shell Shopify Siemens Skype Slack Sony SpaceX Spotify Stanford Starbucks Stripe
  Target Tesco Tesla TikTok Toyota Twitch Twitter Uber UNESCO Unicef Unilever Verizon Visa Vodafone Volkswagen Volvo
  Walmart WhatsApp WWF Yahoo Yale YouTube Zalando Zara Zoom Congress Parliament Senate EU UN WHO Coldplay Interpol`)

/** Peoples and languages: spelt with a capital, and neither person, place nor organisation. */
export const PEOPLES = names(`
  African American Arabic Argentinian Asian Australian Austrian Belgian Brazilian British Bulgarian Canadian Chilean
  Chinese Colombian Croatian Cuban Czech Danish Dutch Egyptian English Estonian Ethiopian European Finnish French
  German Greek Hebrew Hindi Hungarian Icelandic Indian Indonesian Iranian Iraqi Irish Israeli Italian Jamaican
  Japanese Jewish Kenyan Korean Latin Latvian Lebanese Lithuanian Malay Mandarin Mexican Moroccan Muslim Nepalese
  Nigerian Norwegian Pakistani Persian Peruvian Polish Portuguese Punjabi Romanian Russian Scottish Serbian Sicilian
  Slovak Somali Spanish Swahili Swedish Swiss Syrian Tamil Thai Turkish Ukrainian Urdu Vietnamese Welsh Catholic
  Christian Buddhist Hindu Catalan Americans Germans Italians Russians`)
