/* The Vulkan side of the workloads: the SPIR-V that glslangValidator makes of their GLSL, on the first device that is a
 * processor (lavapipe). Frames are recorded anew each time, as an OpenGL program calls its draws anew. Clauses are of
 * the Vulkan 1.3 specification. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vulkan.h>

#include "peers.h"

enum {
    SIDE = BENCH_SIDE,
    IN_FLIGHT = 4, /* frames that are recorded before the first of them is waited for */
    PICTURE_BYTES = SIDE * SIDE * 4,
    /* of the descriptor set; tools/bench/sides.py (VULKAN) makes SPIR-V for these */
    BINDING_X = 0,
    BINDING_Y = 1,
    BINDING_CONSTANTS = 4,
    BINDING_TEXTURE = 8
};

struct buffer {
    VkBuffer handle;
    VkDeviceMemory memory;
    void *map;
    VkDeviceSize bytes;
};

struct image {
    VkImage handle;
    VkDeviceMemory memory;
    VkImageView view;
};

/* From open to the process's end. */
static struct {
    const char *folder;
    VkPhysicalDevice physical;
    VkPhysicalDeviceMemoryProperties memories;
    VkDevice device;
    VkQueue queue;
    VkCommandPool pool;
    VkDescriptorPool sets;
} vk;

/* From create to destroy. */
static struct {
    const struct workload *work;
    struct image picture, texture;
    struct buffer vertices, constants, grid[2], pixels;
    VkSampler sampler;
    VkDescriptorSetLayout set_layout;
    VkDescriptorSet set;
    VkPipelineLayout layout;
    VkPipeline pipeline;
    VkCommandBuffer frames[IN_FLIGHT];
    VkFence done[IN_FLIGHT];
    unsigned next;
    uint32_t count; /* of vertices */
} now;

/* The first call that failed, which create and the others return. */
static const char *wrong;

static bool check(VkResult result, const char *call)
{
    if (result != VK_SUCCESS && !wrong) wrong = call;
    return result == VK_SUCCESS;
}
#define TRY(call) check((call), #call)

/* ---- memory ---- */

/* All memory of a device that is a processor can be mapped; what cannot is not taken. */
static VkDeviceMemory allocate(const VkMemoryRequirements *needs)
{
    const VkMemoryPropertyFlags wanted = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT | VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
    VkMemoryAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO, .allocationSize = needs->size};
    VkDeviceMemory memory = VK_NULL_HANDLE;
    for (uint32_t type = 0; type < vk.memories.memoryTypeCount && !memory; type++) {
        if (!(needs->memoryTypeBits & 1u << type)) continue;
        if ((vk.memories.memoryTypes[type].propertyFlags & wanted) != wanted) continue;
        info.memoryTypeIndex = type;
        TRY(vkAllocateMemory(vk.device, &info, NULL, &memory));
    }
    check(memory ? VK_SUCCESS : VK_ERROR_OUT_OF_DEVICE_MEMORY, "no memory that can be mapped");
    return memory;
}

static struct buffer make_buffer(VkDeviceSize bytes, VkBufferUsageFlags usage)
{
    const VkBufferCreateInfo info = {.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO, .size = bytes, .usage = usage};
    struct buffer buffer = {.bytes = bytes};
    VkMemoryRequirements needs;
    if (!TRY(vkCreateBuffer(vk.device, &info, NULL, &buffer.handle))) return buffer;
    vkGetBufferMemoryRequirements(vk.device, buffer.handle, &needs);
    buffer.memory = allocate(&needs);
    if (!buffer.memory) return buffer;
    TRY(vkBindBufferMemory(vk.device, buffer.handle, buffer.memory, 0));
    TRY(vkMapMemory(vk.device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &buffer.map));
    return buffer;
}

static void free_buffer(struct buffer *buffer)
{
    vkDestroyBuffer(vk.device, buffer->handle, NULL);
    vkFreeMemory(vk.device, buffer->memory, NULL);
    *buffer = (struct buffer){0};
}

static struct image make_image(const VkImageCreateInfo *info, VkImageViewType type, VkImageAspectFlags aspect)
{
    struct image image = {0};
    VkMemoryRequirements needs;
    if (!TRY(vkCreateImage(vk.device, info, NULL, &image.handle))) return image;
    vkGetImageMemoryRequirements(vk.device, image.handle, &needs);
    image.memory = allocate(&needs);
    if (!image.memory || !TRY(vkBindImageMemory(vk.device, image.handle, image.memory, 0))) return image;
    const VkImageViewCreateInfo view = {
        .sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
        .image = image.handle,
        .viewType = type,
        .format = info->format,
        .subresourceRange = {.aspectMask = aspect, .levelCount = info->mipLevels, .layerCount = info->arrayLayers}};
    TRY(vkCreateImageView(vk.device, &view, NULL, &image.view));
    return image;
}

static void free_image(struct image *image)
{
    vkDestroyImageView(vk.device, image->view, NULL);
    vkDestroyImage(vk.device, image->handle, NULL);
    vkFreeMemory(vk.device, image->memory, NULL);
    *image = (struct image){0};
}

/* ---- commands ---- */

/* Waits for the commands that were recorded in this place before, and begins new ones. */
static VkCommandBuffer begin_commands(void)
{
    const VkCommandBufferBeginInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
                                           .flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT};
    TRY(vkWaitForFences(vk.device, 1, &now.done[now.next], VK_TRUE, UINT64_MAX));
    TRY(vkResetFences(vk.device, 1, &now.done[now.next]));
    TRY(vkBeginCommandBuffer(now.frames[now.next], &info));
    return now.frames[now.next];
}

/* What one submission writes, the next one reads (7.6, memory barriers of the queue). */
static void submit(VkCommandBuffer commands)
{
    const VkMemoryBarrier all = {.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
                                 .srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
                                 .dstAccessMask =
                                     VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_HOST_READ_BIT};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
                         VK_PIPELINE_STAGE_ALL_COMMANDS_BIT | VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &all, 0, NULL, 0, NULL);
    TRY(vkEndCommandBuffer(commands));
    const VkSubmitInfo info = {
        .sType = VK_STRUCTURE_TYPE_SUBMIT_INFO, .commandBufferCount = 1, .pCommandBuffers = &commands};
    TRY(vkQueueSubmit(vk.queue, 1, &info, now.done[now.next]));
    now.next = (now.next + 1) % IN_FLIGHT;
}

static const char *finish(void)
{
    TRY(vkQueueWaitIdle(vk.queue));
    return wrong;
}

/* Everything is in the layout GENERAL from its beginning to its end: lavapipe knows no other. */
static void to_general(VkCommandBuffer commands, VkImage image, VkImageAspectFlags aspect)
{
    const VkImageMemoryBarrier barrier = {.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
                                          .dstAccessMask = VK_ACCESS_MEMORY_WRITE_BIT | VK_ACCESS_MEMORY_READ_BIT,
                                          .oldLayout = VK_IMAGE_LAYOUT_UNDEFINED,
                                          .newLayout = VK_IMAGE_LAYOUT_GENERAL,
                                          .srcQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .dstQueueFamilyIndex = VK_QUEUE_FAMILY_IGNORED,
                                          .image = image,
                                          .subresourceRange = {.aspectMask = aspect,
                                                               .levelCount = VK_REMAINING_MIP_LEVELS,
                                                               .layerCount = VK_REMAINING_ARRAY_LAYERS}};
    vkCmdPipelineBarrier(commands, VK_PIPELINE_STAGE_TOP_OF_PIPE_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0,
                         NULL, 1, &barrier);
}

/* ---- textures ---- */

static const VkFormat formats[] = {[FORMAT_RGBA8] = VK_FORMAT_R8G8B8A8_UNORM,
                                   [FORMAT_RGBA32F] = VK_FORMAT_R32G32B32A32_SFLOAT,
                                   [FORMAT_D32F] = VK_FORMAT_D32_SFLOAT,
                                   [FORMAT_BC1] = VK_FORMAT_BC1_RGBA_UNORM_BLOCK,
                                   [FORMAT_BC3] = VK_FORMAT_BC3_UNORM_BLOCK};

static VkImageAspectFlags aspect_of(const struct workload *w)
{
    return w->format == FORMAT_D32F ? VK_IMAGE_ASPECT_DEPTH_BIT : VK_IMAGE_ASPECT_COLOR_BIT;
}

static void upload_level(const struct workload *w, uint32_t level)
{
    const uint32_t side = w->side >> level, layers = bench_level_layers(w, level);
    const size_t bytes = bench_layer_bytes(w, level);
    struct buffer texels = make_buffer(bytes * layers, VK_BUFFER_USAGE_TRANSFER_SRC_BIT);
    if (!wrong) {
        for (uint32_t layer = 0; layer < layers; layer++)
            bench_fill_layer(w, level, layer, (char *)texels.map + bytes * layer);
        const bool deep = w->target == TARGET_3D;
        const VkBufferImageCopy copy = {
            .imageSubresource = {.aspectMask = aspect_of(w), .mipLevel = level, .layerCount = deep ? 1 : layers},
            .imageExtent = {side, side, deep ? layers : 1}};
        VkCommandBuffer commands = begin_commands();
        vkCmdCopyBufferToImage(commands, texels.handle, now.texture.handle, VK_IMAGE_LAYOUT_GENERAL, 1, &copy);
        submit(commands);
        finish();
    }
    free_buffer(&texels);
}

static void make_texture(const struct workload *w)
{
    static const VkImageViewType views[] = {[TARGET_2D] = VK_IMAGE_VIEW_TYPE_2D,
                                            [TARGET_CUBE] = VK_IMAGE_VIEW_TYPE_CUBE,
                                            [TARGET_3D] = VK_IMAGE_VIEW_TYPE_3D};
    const bool deep = w->target == TARGET_3D, cube = w->target == TARGET_CUBE;
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .flags = cube ? VK_IMAGE_CREATE_CUBE_COMPATIBLE_BIT : 0,
                                    .imageType = deep ? VK_IMAGE_TYPE_3D : VK_IMAGE_TYPE_2D,
                                    .format = formats[w->format],
                                    .extent = {w->side, w->side, deep ? bench_level_layers(w, 0) : 1},
                                    .mipLevels = w->levels,
                                    .arrayLayers = cube ? 6 : 1,
                                    .samples = VK_SAMPLE_COUNT_1_BIT,
                                    .tiling = VK_IMAGE_TILING_OPTIMAL,
                                    .usage = VK_IMAGE_USAGE_SAMPLED_BIT | VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    now.texture = make_image(&info, views[w->target], aspect_of(w));
    if (wrong) return;
    VkCommandBuffer commands = begin_commands();
    to_general(commands, now.texture.handle, aspect_of(w));
    submit(commands);
    for (uint32_t level = 0; level < w->levels && !wrong; level++) upload_level(w, level);
}

static void make_sampler(const struct workload *w)
{
    const VkFilter filter = w->filter == FILTER_NEAREST ? VK_FILTER_NEAREST : VK_FILTER_LINEAR;
    const VkSamplerAddressMode wrap =
        w->target == TARGET_2D ? VK_SAMPLER_ADDRESS_MODE_REPEAT : VK_SAMPLER_ADDRESS_MODE_CLAMP_TO_EDGE;
    const VkSamplerCreateInfo info = {.sType = VK_STRUCTURE_TYPE_SAMPLER_CREATE_INFO,
                                      .magFilter = filter,
                                      .minFilter = filter,
                                      .mipmapMode = w->filter >= FILTER_TRILINEAR ? VK_SAMPLER_MIPMAP_MODE_LINEAR
                                                                                  : VK_SAMPLER_MIPMAP_MODE_NEAREST,
                                      .addressModeU = wrap,
                                      .addressModeV = wrap,
                                      .addressModeW = wrap,
                                      .anisotropyEnable = w->filter == FILTER_ANISOTROPIC,
                                      .maxAnisotropy = 16,
                                      .compareEnable = w->format == FORMAT_D32F,
                                      .compareOp = VK_COMPARE_OP_LESS_OR_EQUAL,
                                      .maxLod = (float)(w->levels - 1)};
    TRY(vkCreateSampler(vk.device, &info, NULL, &now.sampler));
}

/* ---- what a workload has ---- */

static void make_picture(const struct workload *w)
{
    const VkImageCreateInfo info = {.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
                                    .imageType = VK_IMAGE_TYPE_2D,
                                    .format = VK_FORMAT_R8G8B8A8_UNORM,
                                    .extent = {SIDE, SIDE, 1},
                                    .mipLevels = 1,
                                    .arrayLayers = 1,
                                    .samples =
                                        w->samples > 1 ? (VkSampleCountFlagBits)w->samples : VK_SAMPLE_COUNT_1_BIT,
                                    .tiling = VK_IMAGE_TILING_OPTIMAL,
                                    .usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
                                             VK_IMAGE_USAGE_TRANSFER_DST_BIT};
    now.picture = make_image(&info, VK_IMAGE_VIEW_TYPE_2D, VK_IMAGE_ASPECT_COLOR_BIT);
    now.pixels = make_buffer(PICTURE_BYTES, VK_BUFFER_USAGE_TRANSFER_DST_BIT);
    if (wrong) return;
    const VkClearColorValue black = {0};
    const VkImageSubresourceRange all = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .levelCount = 1, .layerCount = 1};
    VkCommandBuffer commands = begin_commands();
    to_general(commands, now.picture.handle, VK_IMAGE_ASPECT_COLOR_BIT);
    vkCmdClearColorImage(commands, now.picture.handle, VK_IMAGE_LAYOUT_GENERAL, &black, 1, &all);
    submit(commands);
}

static void make_vertices(const struct workload *w)
{
    float *vertices = bench_vertices(w, &now.count);
    const size_t bytes = (size_t)now.count * 4 * sizeof(float);
    check(vertices ? VK_SUCCESS : VK_ERROR_OUT_OF_HOST_MEMORY, "no memory");
    if (vertices) now.vertices = make_buffer(bytes, VK_BUFFER_USAGE_VERTEX_BUFFER_BIT);
    if (!wrong) memcpy(now.vertices.map, vertices, bytes);
    free(vertices);
}

static void make_grid(const struct workload *w)
{
    for (unsigned b = 0; b < 2 && !wrong; b++) {
        now.grid[b] = make_buffer(w->elements * sizeof(float), VK_BUFFER_USAGE_STORAGE_BUFFER_BIT);
        if (!wrong) bench_fill_buffer(now.grid[b].map, w->elements);
    }
}

/* Of a buffer or of an image; the other is NULL. */
static void write_descriptor(uint32_t binding, VkDescriptorType type, const VkDescriptorBufferInfo *buffer,
                             const VkDescriptorImageInfo *image)
{
    const VkWriteDescriptorSet write = {.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
                                        .dstSet = now.set,
                                        .dstBinding = binding,
                                        .descriptorCount = 1,
                                        .descriptorType = type,
                                        .pBufferInfo = buffer,
                                        .pImageInfo = image};
    vkUpdateDescriptorSets(vk.device, 1, &write, 0, NULL);
}

static void write_buffer(uint32_t binding, VkDescriptorType type, const struct buffer *buffer)
{
    const VkDescriptorBufferInfo info = {.buffer = buffer->handle, .range = VK_WHOLE_SIZE};
    write_descriptor(binding, type, &info, NULL);
}

static void write_texture(void)
{
    const VkDescriptorImageInfo info = {
        .sampler = now.sampler, .imageView = now.texture.view, .imageLayout = VK_IMAGE_LAYOUT_GENERAL};
    write_descriptor(BINDING_TEXTURE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, NULL, &info);
}

/* Only the bindings that the shaders name: lavapipe 22.3 reads all that the layout has when it draws. */
static void make_layout(const struct workload *w)
{
    VkDescriptorSetLayoutBinding bindings[4] = {
        {BINDING_CONSTANTS, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL}};
    VkDescriptorSetLayoutCreateInfo set = {
        .sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO, .bindingCount = 1, .pBindings = bindings};
    const VkPipelineLayoutCreateInfo layout = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO, .setLayoutCount = 1, .pSetLayouts = &now.set_layout};
    for (uint32_t b = BINDING_X; w->groups && b <= BINDING_Y; b++)
        bindings[set.bindingCount++] =
            (VkDescriptorSetLayoutBinding){b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_ALL, NULL};
    if (w->target)
        bindings[set.bindingCount++] = (VkDescriptorSetLayoutBinding){
            BINDING_TEXTURE, VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1, VK_SHADER_STAGE_ALL, NULL};
    if (TRY(vkCreateDescriptorSetLayout(vk.device, &set, NULL, &now.set_layout)))
        TRY(vkCreatePipelineLayout(vk.device, &layout, NULL, &now.layout));
}

static void make_set(const struct workload *w)
{
    const VkDescriptorSetAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
                                              .descriptorPool = vk.sets,
                                              .descriptorSetCount = 1,
                                              .pSetLayouts = &now.set_layout};
    now.constants = make_buffer(sizeof w->constants, VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT);
    if (wrong || !TRY(vkAllocateDescriptorSets(vk.device, &info, &now.set))) return;
    memcpy(now.constants.map, w->constants, sizeof w->constants);
    write_buffer(BINDING_CONSTANTS, VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, &now.constants);
    for (uint32_t b = BINDING_X; w->groups && b <= BINDING_Y; b++)
        write_buffer(b, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, &now.grid[b]);
    if (w->target) write_texture();
}

static void make_commands(void)
{
    const VkCommandBufferAllocateInfo info = {.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
                                              .commandPool = vk.pool,
                                              .level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
                                              .commandBufferCount = IN_FLIGHT};
    const VkFenceCreateInfo fence = {.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
                                     .flags = VK_FENCE_CREATE_SIGNALED_BIT};
    TRY(vkAllocateCommandBuffers(vk.device, &info, now.frames));
    for (unsigned f = 0; f < IN_FLIGHT; f++) TRY(vkCreateFence(vk.device, &fence, NULL, &now.done[f]));
}

static const char *create(const struct workload *w, unsigned way)
{
    (void)way;
    now.work = w;
    make_commands();
    if (!wrong && w->groups) make_grid(w);
    if (!wrong && !w->groups) make_picture(w);
    if (!wrong && !w->groups) make_vertices(w);
    if (!wrong && w->target) make_texture(w);
    if (!wrong && w->target) make_sampler(w);
    if (!wrong) make_layout(w);
    if (!wrong) make_set(w);
    return finish();
}

static void destroy(void)
{
    vkDeviceWaitIdle(vk.device);
    vkDestroyPipeline(vk.device, now.pipeline, NULL);
    vkDestroySampler(vk.device, now.sampler, NULL);
    vkDestroyPipelineLayout(vk.device, now.layout, NULL);
    vkResetDescriptorPool(vk.device, vk.sets, 0);
    vkDestroyDescriptorSetLayout(vk.device, now.set_layout, NULL);
    vkFreeCommandBuffers(vk.device, vk.pool, IN_FLIGHT, now.frames);
    for (unsigned f = 0; f < IN_FLIGHT; f++) vkDestroyFence(vk.device, now.done[f], NULL);
    free_image(&now.picture);
    free_image(&now.texture);
    struct buffer *const buffers[] = {&now.vertices, &now.constants, &now.grid[0], &now.grid[1], &now.pixels};
    for (unsigned b = 0; b < sizeof buffers / sizeof *buffers; b++) free_buffer(buffers[b]);
    memset(&now, 0, sizeof now);
    wrong = NULL;
}

/* ---- pipelines ---- */

static const VkShaderStageFlagBits stages[BENCH_STAGES] = {[BENCH_VERTEX] = VK_SHADER_STAGE_VERTEX_BIT,
                                                           [BENCH_TESS_CTRL] = VK_SHADER_STAGE_TESSELLATION_CONTROL_BIT,
                                                           [BENCH_TESS_EVAL] =
                                                               VK_SHADER_STAGE_TESSELLATION_EVALUATION_BIT,
                                                           [BENCH_GEOMETRY] = VK_SHADER_STAGE_GEOMETRY_BIT,
                                                           [BENCH_FRAGMENT] = VK_SHADER_STAGE_FRAGMENT_BIT,
                                                           [BENCH_COMPUTE] = VK_SHADER_STAGE_COMPUTE_BIT};

static VkShaderModule read_module(const char *name)
{
    char path[1000];
    VkShaderModule module = VK_NULL_HANDLE;
    snprintf(path, sizeof path, "%s/%s.spv", vk.folder, name);
    uint32_t *words = malloc(BENCH_SHADER_BYTES);
    FILE *file = words ? fopen(path, "rb") : NULL;
    const size_t bytes = file ? fread(words, 1, BENCH_SHADER_BYTES, file) : 0;
    if (file) fclose(file);
    const VkShaderModuleCreateInfo info = {
        .sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, .codeSize = bytes, .pCode = words};
    check(bytes && bytes % 4 == 0 ? VK_SUCCESS : VK_ERROR_UNKNOWN, "no SPIR-V of a shader");
    if (!wrong) TRY(vkCreateShaderModule(vk.device, &info, NULL, &module));
    free(words);
    return module;
}

static uint32_t read_stages(VkPipelineShaderStageCreateInfo *made)
{
    uint32_t count = 0;
    for (unsigned stage = 0; stage < BENCH_STAGES && !wrong; stage++) {
        char name[100];
        if (!bench_shader_name(now.work, stage, name, sizeof name)) continue;
        made[count++] = (VkPipelineShaderStageCreateInfo){.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
                                                          .stage = stages[stage],
                                                          .module = read_module(name),
                                                          .pName = "main"};
    }
    return count;
}

static const VkFormat picture_format = VK_FORMAT_R8G8B8A8_UNORM;

/* Depth is clamped, not clipped: OpenGL's z reaches from -w, Vulkan's from 0 (27.4, primitive clipping), and no
 * workload looks at it. Patches begin at the lower left, as OpenGL's do (22.8). */
static void make_graphics(const VkPipelineShaderStageCreateInfo *made, uint32_t count)
{
    static const VkPrimitiveTopology kinds[] = {[SHAPE_TRIANGLES] = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
                                                [SHAPE_PATCHES] = VK_PRIMITIVE_TOPOLOGY_PATCH_LIST,
                                                [SHAPE_POINTS] = VK_PRIMITIVE_TOPOLOGY_POINT_LIST};
    const struct workload *w = now.work;
    const VkPipelineRenderingCreateInfo rendering = {.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
                                                     .colorAttachmentCount = 1,
                                                     .pColorAttachmentFormats = &picture_format};
    const VkVertexInputBindingDescription binding = {.stride = 4 * sizeof(float)};
    const VkVertexInputAttributeDescription attribute = {.format = VK_FORMAT_R32G32B32A32_SFLOAT};
    const VkPipelineVertexInputStateCreateInfo input = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
                                                        .vertexBindingDescriptionCount = 1,
                                                        .pVertexBindingDescriptions = &binding,
                                                        .vertexAttributeDescriptionCount = 1,
                                                        .pVertexAttributeDescriptions = &attribute};
    const VkPipelineInputAssemblyStateCreateInfo assembly = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO, .topology = kinds[w->shape]};
    const VkPipelineTessellationDomainOriginStateCreateInfo origin = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_DOMAIN_ORIGIN_STATE_CREATE_INFO,
        .domainOrigin = VK_TESSELLATION_DOMAIN_ORIGIN_LOWER_LEFT};
    const VkPipelineTessellationStateCreateInfo patches = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
        .pNext = &origin,
        .patchControlPoints = BENCH_PATCH_CORNERS};
    const VkViewport view = {.width = SIDE, .height = SIDE, .maxDepth = 1};
    const VkPipelineViewportStateCreateInfo viewport = {.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
                                                        .viewportCount = 1,
                                                        .pViewports = &view,
                                                        .scissorCount = 1};
    const VkPipelineRasterizationStateCreateInfo raster = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
        .depthClampEnable = VK_TRUE,
        .polygonMode = VK_POLYGON_MODE_FILL,
        .frontFace = VK_FRONT_FACE_COUNTER_CLOCKWISE,
        .lineWidth = 1};
    const VkPipelineMultisampleStateCreateInfo samples = {
        .sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
        .rasterizationSamples = w->samples > 1 ? (VkSampleCountFlagBits)w->samples : VK_SAMPLE_COUNT_1_BIT};
    const VkPipelineColorBlendAttachmentState blend = {.blendEnable = w->blend,
                                                       .srcColorBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
                                                       .dstColorBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                       .srcAlphaBlendFactor = VK_BLEND_FACTOR_SRC_ALPHA,
                                                       .dstAlphaBlendFactor = VK_BLEND_FACTOR_ONE_MINUS_SRC_ALPHA,
                                                       .colorWriteMask = 0xf};
    const VkPipelineColorBlendStateCreateInfo blends = {.sType =
                                                            VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
                                                        .attachmentCount = 1,
                                                        .pAttachments = &blend};
    const VkDynamicState scissor = VK_DYNAMIC_STATE_SCISSOR;
    const VkPipelineDynamicStateCreateInfo dynamic = {.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
                                                      .dynamicStateCount = 1,
                                                      .pDynamicStates = &scissor};
    const VkGraphicsPipelineCreateInfo info = {.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
                                               .pNext = &rendering,
                                               .stageCount = count,
                                               .pStages = made,
                                               .pVertexInputState = &input,
                                               .pInputAssemblyState = &assembly,
                                               .pTessellationState = &patches,
                                               .pViewportState = &viewport,
                                               .pRasterizationState = &raster,
                                               .pMultisampleState = &samples,
                                               .pColorBlendState = &blends,
                                               .pDynamicState = &dynamic,
                                               .layout = now.layout};
    TRY(vkCreateGraphicsPipelines(vk.device, VK_NULL_HANDLE, 1, &info, NULL, &now.pipeline));
}

static void make_pipeline(void)
{
    VkPipelineShaderStageCreateInfo made[BENCH_STAGES] = {0};
    const uint32_t count = read_stages(made);
    const VkComputePipelineCreateInfo compute = {
        .sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO, .stage = made[0], .layout = now.layout};
    if (!wrong && now.work->groups)
        TRY(vkCreateComputePipelines(vk.device, VK_NULL_HANDLE, 1, &compute, NULL, &now.pipeline));
    else if (!wrong)
        make_graphics(made, count);
    for (uint32_t s = 0; s < count; s++) vkDestroyShaderModule(vk.device, made[s].module, NULL);
}

/* ---- frames ---- */

static void record_draws(VkCommandBuffer commands, bool part)
{
    const struct workload *w = now.work;
    const uint32_t draws = w->draws ? w->draws : 1;
    const bool parts = w->shape == SHAPE_PATCHES;
    const uint32_t each = parts ? now.count / draws : now.count;
    const uint32_t side = part ? BENCH_FIRST_SIDE : SIDE;
    const VkRect2D scissor = {.extent = {side, side}}, whole = {.extent = {SIDE, SIDE}};
    const VkRenderingAttachmentInfo attachment = {.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
                                                  .imageView = now.picture.view,
                                                  .imageLayout = VK_IMAGE_LAYOUT_GENERAL,
                                                  .loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
                                                  .storeOp = VK_ATTACHMENT_STORE_OP_STORE};
    const VkRenderingInfo info = {.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
                                  .renderArea = whole,
                                  .layerCount = 1,
                                  .colorAttachmentCount = 1,
                                  .pColorAttachments = &attachment};
    const VkDeviceSize zero = 0;
    vkCmdBeginRendering(commands, &info);
    vkCmdSetScissor(commands, 0, 1, &scissor);
    vkCmdBindVertexBuffers(commands, 0, 1, &now.vertices.handle, &zero);
    if (part)
        vkCmdDraw(commands, now.count < BENCH_FIRST_VERTICES ? now.count : BENCH_FIRST_VERTICES, 1, 0, 0);
    else
        for (uint32_t d = 0; d < draws; d++) vkCmdDraw(commands, each, 1, parts ? d * each : 0, 0);
    vkCmdEndRendering(commands);
}

static void draw(bool part)
{
    const struct workload *w = now.work;
    const VkPipelineBindPoint point = w->groups ? VK_PIPELINE_BIND_POINT_COMPUTE : VK_PIPELINE_BIND_POINT_GRAPHICS;
    VkCommandBuffer commands = begin_commands();
    vkCmdBindPipeline(commands, point, now.pipeline);
    vkCmdBindDescriptorSets(commands, point, now.layout, 0, 1, &now.set, 0, NULL);
    if (w->groups)
        vkCmdDispatch(commands, part ? 1 : w->groups, 1, 1);
    else
        record_draws(commands, part);
    submit(commands);
}

static const char *first(void)
{
    make_pipeline();
    if (!wrong) draw(true);
    return finish();
}

static const char *frame(void)
{
    draw(false);
    return wrong;
}

static const char *read_picture(void *to)
{
    const VkImageSubresourceLayers colour = {.aspectMask = VK_IMAGE_ASPECT_COLOR_BIT, .layerCount = 1};
    const VkExtent3D whole = {SIDE, SIDE, 1};
    const VkBufferImageCopy copy = {.imageSubresource = colour, .imageExtent = whole};
    const VkImageResolve resolve = {.srcSubresource = colour, .dstSubresource = colour, .extent = whole};
    static const struct workload single = {.samples = 1};
    struct image picture = now.picture;
    struct buffer pixels = now.pixels;
    if (now.work->samples > 1) make_picture(&single); /* now.picture becomes the one that is resolved to */
    VkCommandBuffer commands = begin_commands();
    if (now.work->samples > 1)
        vkCmdResolveImage(commands, picture.handle, VK_IMAGE_LAYOUT_GENERAL, now.picture.handle,
                          VK_IMAGE_LAYOUT_GENERAL, 1, &resolve);
    vkCmdCopyImageToBuffer(commands, now.picture.handle, VK_IMAGE_LAYOUT_GENERAL, now.pixels.handle, 1, &copy);
    submit(commands);
    finish();
    if (!wrong) memcpy(to, now.pixels.map, PICTURE_BYTES);
    if (now.work->samples > 1) {
        free_image(&now.picture);
        free_buffer(&now.pixels);
        now.picture = picture;
        now.pixels = pixels;
    }
    return wrong;
}

static const char *read_result(void *to)
{
    if (!now.work->groups) return read_picture(to);
    memcpy(to, now.grid[1].map, BENCH_RESULTS * sizeof(float));
    return wrong;
}

/* ---- the device ---- */

static bool choose_device(VkInstance instance)
{
    VkPhysicalDevice devices[16];
    uint32_t count = 16;
    const VkResult listed = vkEnumeratePhysicalDevices(instance, &count, devices);
    if (listed != VK_SUCCESS && listed != VK_INCOMPLETE) return false;
    for (uint32_t d = 0; d < count; d++) {
        VkPhysicalDeviceProperties facts;
        vkGetPhysicalDeviceProperties(devices[d], &facts);
        if (facts.deviceType != VK_PHYSICAL_DEVICE_TYPE_CPU || facts.apiVersion < VK_API_VERSION_1_3) continue;
        fprintf(stderr, "%s, Vulkan %u.%u\n", facts.deviceName, VK_API_VERSION_MAJOR(facts.apiVersion),
                VK_API_VERSION_MINOR(facts.apiVersion));
        vk.physical = devices[d];
        vkGetPhysicalDeviceMemoryProperties(vk.physical, &vk.memories);
        return true;
    }
    return false;
}

/* A processor's only queue family does everything. */
static void make_device(void)
{
    const float priority = 1;
    const VkDeviceQueueCreateInfo queue = {
        .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO, .queueCount = 1, .pQueuePriorities = &priority};
    VkPhysicalDeviceVulkan13Features new = {.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
                                            .dynamicRendering = VK_TRUE};
    const VkPhysicalDeviceFeatures features = {.geometryShader = VK_TRUE,
                                               .tessellationShader = VK_TRUE,
                                               .depthClamp = VK_TRUE,
                                               .samplerAnisotropy = VK_TRUE,
                                               .textureCompressionBC = VK_TRUE};
    const VkDeviceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
                                     .pNext = &new,
                                     .queueCreateInfoCount = 1,
                                     .pQueueCreateInfos = &queue,
                                     .pEnabledFeatures = &features};
    const VkCommandPoolCreateInfo pool = {.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
                                          .flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT};
    if (!TRY(vkCreateDevice(vk.physical, &info, NULL, &vk.device))) return;
    vkGetDeviceQueue(vk.device, 0, 0, &vk.queue);
    TRY(vkCreateCommandPool(vk.device, &pool, NULL, &vk.pool));
}

static void make_pool(void)
{
    static const VkDescriptorPoolSize sizes[] = {{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2},
                                                 {VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1},
                                                 {VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 1}};
    const VkDescriptorPoolCreateInfo info = {.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
                                             .maxSets = 1,
                                             .poolSizeCount = sizeof sizes / sizeof *sizes,
                                             .pPoolSizes = sizes};
    TRY(vkCreateDescriptorPool(vk.device, &info, NULL, &vk.sets));
}

/* One program that is thrown away, as on the OpenGL side: the process's own beginning is no workload's. */
static const char *open_vulkan(const char *folder)
{
    static const struct workload grad = {.name = "grad", .vertex = "plain", .fragment = "grad"};
    const VkApplicationInfo application = {.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
                                           .apiVersion = VK_API_VERSION_1_3};
    const VkInstanceCreateInfo info = {.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
                                       .pApplicationInfo = &application};
    VkInstance instance;
    vk.folder = folder;
    if (!TRY(vkCreateInstance(&info, NULL, &instance))) return wrong;
    if (!choose_device(instance)) return "no Vulkan 1.3 device here that is a processor (lavapipe)";
    make_device();
    if (!wrong) make_pool();
    if (wrong || create(&grad, 0) || first()) return wrong;
    destroy();
    return NULL;
}

const struct bench_side bench_side = {.options = "",
                                      .open = open_vulkan,
                                      .create = create,
                                      .first = first,
                                      .frame = frame,
                                      .finish = finish,
                                      .read = read_result,
                                      .destroy = destroy};
