//! Classes made by hand, for tests: what no compiler of today writes.

/// A class in the making.
pub(crate) struct Assembly {
    major: u8,
    constants: Vec<Vec<u8>>,
    fields: Vec<Vec<u8>>,
    methods: Vec<Vec<u8>>,
    name: u16,
}

/// A method's body.
#[derive(Default)]
pub(crate) struct Body<'a> {
    pub(crate) stack: u16,
    pub(crate) locals: u16,
    pub(crate) code: Vec<u8>,
    /// Start, end, handler, class.
    pub(crate) exceptions: Vec<[u16; 4]>,
    pub(crate) attributes: Vec<(&'a str, Vec<u8>)>,
}

impl Assembly {
    /// An empty public class that extends `Object`.
    pub(crate) fn new(major: u8, name: &str) -> Assembly {
        let mut class = Assembly { major, constants: Vec::new(), fields: Vec::new(), methods: Vec::new(), name: 0 };
        class.name = class.class(name);
        class
    }

    /// A constant, by its tag and what follows it.
    pub(crate) fn constant(&mut self, bytes: Vec<u8>) -> u16 {
        let place = self.constants.iter().position(|known| *known == bytes).unwrap_or_else(|| {
            self.constants.push(bytes);
            self.constants.len() - 1
        });
        place as u16 + 1
    }

    /// A text constant.
    pub(crate) fn utf8(&mut self, text: &str) -> u16 {
        let mut bytes = vec![1];
        bytes.extend((text.len() as u16).to_be_bytes());
        bytes.extend(text.as_bytes());
        self.constant(bytes)
    }

    /// A class constant.
    pub(crate) fn class(&mut self, name: &str) -> u16 {
        let [high, low] = self.utf8(name).to_be_bytes();
        self.constant(vec![7, high, low])
    }

    pub(crate) fn two(&mut self, tag: u8, first: u16, second: u16) -> u16 {
        let mut bytes = vec![tag];
        bytes.extend(first.to_be_bytes());
        bytes.extend(second.to_be_bytes());
        self.constant(bytes)
    }

    /// A field (9) or method (10) constant, as two bytes for an instruction.
    pub(crate) fn member(&mut self, tag: u8, owner: &str, name: &str, descriptor: &str) -> [u8; 2] {
        let (name, descriptor) = (self.utf8(name), self.utf8(descriptor));
        let pair = self.two(12, name, descriptor);
        let owner = self.class(owner);
        self.two(tag, owner, pair).to_be_bytes()
    }

    /// Declares a field.
    pub(crate) fn field(&mut self, access: u16, name: &str, descriptor: &str) {
        let field = self.declaration(access, name, descriptor, 0);
        self.fields.push(field);
    }

    fn declaration(&mut self, access: u16, name: &str, descriptor: &str, attributes: u16) -> Vec<u8> {
        let words = [access, self.utf8(name), self.utf8(descriptor), attributes];
        words.iter().flat_map(|word| word.to_be_bytes()).collect()
    }

    /// Declares a method.
    pub(crate) fn method(&mut self, access: u16, name: &str, descriptor: &str, body: Body<'_>) {
        let mut content = Vec::new();
        content.extend(body.stack.to_be_bytes());
        content.extend(body.locals.to_be_bytes());
        content.extend((body.code.len() as u32).to_be_bytes());
        content.extend(body.code);
        content.extend((body.exceptions.len() as u16).to_be_bytes());
        content.extend(body.exceptions.iter().flatten().flat_map(|word| word.to_be_bytes()));
        content.extend((body.attributes.len() as u16).to_be_bytes());
        for (name, attribute) in body.attributes {
            content.extend(self.utf8(name).to_be_bytes());
            content.extend((attribute.len() as u32).to_be_bytes());
            content.extend(attribute);
        }
        let mut method = self.declaration(access, name, descriptor, 1);
        method.extend(self.utf8("Code").to_be_bytes());
        method.extend((content.len() as u32).to_be_bytes());
        method.extend(content);
        self.methods.push(method);
    }

    /// The class file.
    pub(crate) fn finish(self) -> Vec<u8> {
        self.finish_with(&[])
    }

    /// The class file, with these attributes of the class.
    pub(crate) fn finish_with(mut self, attributes: &[(&str, &[u8])]) -> Vec<u8> {
        let named: Vec<_> = attributes.iter().map(|&(name, content)| (self.utf8(name), content)).collect();
        let parent = self.class("java/lang/Object");
        let mut bytes = vec![0xca, 0xfe, 0xba, 0xbe, 0, if self.major == 45 { 3 } else { 0 }, 0, self.major];
        bytes.extend((self.constants.len() as u16 + 1).to_be_bytes());
        bytes.extend(self.constants.concat());
        for word in [0x21, self.name, parent, 0] {
            bytes.extend(u16::to_be_bytes(word));
        }
        for members in [self.fields, self.methods] {
            bytes.extend((members.len() as u16).to_be_bytes());
            bytes.extend(members.concat());
        }
        bytes.extend((named.len() as u16).to_be_bytes());
        for (name, content) in named {
            bytes.extend(name.to_be_bytes());
            bytes.extend((content.len() as u32).to_be_bytes());
            bytes.extend(content);
        }
        bytes
    }
}
